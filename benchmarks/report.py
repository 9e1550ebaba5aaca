"""Results as a table."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

PACKAGES = ("streamlit", "plotly", "torch", "scikit-learn", "numpy")
_HEADER = ("what", "floor", "ours", "ratio", "limit", "result")
_NUMBERS = range(1, 5)  # columns
_FINE = ("cores", "times", "a second")  # units of numbers near 1


@dataclass(frozen=True)
class Row:
    """One result; in seconds unless `unit` says what else.

    limit: for ours as a share of the floor, or for ours itself if there is no floor.
    decides: whether missing the limit fails the run.
    """

    what: str
    ours: float
    floor: float | None = None
    limit: float | None = None
    unit: str = "s"
    decides: bool = True

    @property
    def ratio(self) -> float | None:
        return None if self.floor is None else self.ours / self.floor

    @property
    def within(self) -> bool | None:
        if self.limit is None:
            return None
        return (self.ours if self.ratio is None else self.ratio) <= self.limit

    @property
    def verdict(self) -> str:
        if self.within is None:
            return "for information"
        word = "pass" if self.within else "FAIL"
        return word if self.decides else f"{word}, for information"


def is_passed(rows: list[Row]) -> bool:
    return all(row.within is not False for row in rows if row.decides)


def as_table(rows: list[Row]) -> str:
    """A Markdown table with aligned columns."""
    cells = [_HEADER, *[_cells(row) for row in rows]]
    widths = [max(len(line[n]) for line in cells) for n in range(len(_HEADER))]
    rules = [":".rjust(width, "-") if n in _NUMBERS else "-" * width for n, width in enumerate(widths)]
    lines = [_line(line, widths) for line in (cells[0], rules, *cells[1:])]
    return "\n".join(lines)


def versions(*others: str) -> str:
    """Of what the numbers depend on: nothing that names a machine, a person or a day. others: packages, with a space
    and their versions if they are no packages of Python."""
    named = [each if " " in each else f"{each} {version(each)}" for each in (*PACKAGES, *others)]
    return ", ".join([*named, f"python {platform.python_version()}"])


def _cells(row: Row) -> tuple[str, ...]:
    floor = "" if row.floor is None else _amount(row.floor, row.unit)
    ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
    return row.what, floor, _amount(row.ours, row.unit), ratio, _limit(row), row.verdict


def _limit(row: Row) -> str:
    if row.limit is None:
        return ""
    return f"{row.limit:.2f}" if row.ratio is not None else _amount(row.limit, row.unit)


def _amount(number: float, unit: str) -> str:
    if unit == "s":
        return f"{number * 1000:,.0f} ms"
    digits = 2 if unit in _FINE else 0
    return f"{number:,.{digits}f} {unit}".rstrip()


def _line(cells: Sequence[str], widths: list[int]) -> str:
    padded = [
        cell.rjust(width) if n in _NUMBERS else cell.ljust(width)
        for n, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return f"| {' | '.join(padded)} |"
