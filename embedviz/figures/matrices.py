"""Small matrices with their numbers, side by side, with the signs of arithmetic between them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure

_MAX_ROWS, _MAX_COLUMNS = 14, 20  # with more in all panels together, numbers do not fit their cells
_MAX_NAMES, _LINKED = 12, 20  # of rows, and how many rem these are high beside lines, where a phone shows no numbers
_ROWS_OF_HEADING = 1, 2  # how many rows a heading is high, and how many where rows are too low for numbers


@dataclass(frozen=True)
class Matrix:
    """A panel: values (rows, columns), the sign before it, and each row's name and token ID.

    across: what the columns are. decimals: of numbers. framed: the row that has a frame, and the column if it is one
    cell of this row alone. heading: the row above which there is room, and the words that stand there.
    """

    values: np.ndarray
    title: str
    rows: Sequence[str]
    ids: Sequence[int]
    sign: str = ""
    columns: Sequence[str] = ()
    decimals: int = 2
    across: str = ""
    framed: tuple[int, int | None] | None = None
    heading: tuple[int, str] | None = None

    @property
    def places(self) -> list[int]:
        """Where on its axis each row stands."""
        rows = range(len(self.values))
        if self.heading is None:
            return [*rows]
        high = _ROWS_OF_HEADING[len(rows) > _MAX_ROWS]
        return [row + high * (row >= self.heading[0]) for row in rows]

    @property
    def height(self) -> int:
        """How many rows its axis has."""
        return self.places[-1] + 1

    def spread(self, rows: Iterable[Any], empty: Any) -> list[Any]:
        """What belongs to the rows, at their places, and what stands where no row is."""
        at = dict(zip(self.places, rows, strict=True))
        return [at.get(place, empty) for place in range(self.height)]


def matrices(panels: Sequence[Matrix], *, linked: bool = False) -> Figure:
    """The panels in a row, on one scale, which begins at zero or, if there are negative numbers, lies around it.

    linked: whether lines lead from rows of the first of two panels to those of the second that have the same ID. They
    and the names of these rows have the colour of the token.
    """
    numbers = (
        max(len(panel.values) for panel in panels) <= _MAX_ROWS
        and sum(panel.values.shape[1] for panel in panels) <= _MAX_COLUMNS
    )
    limit = max((float(np.abs(panel.values).max(initial=0)) for panel in panels), default=0.0) or 1.0
    pale = theme.scale_of((panel.values for panel in panels), limit, paler=1.25)  # numbers are read on the cells
    parts = _joined(*panels, numbers=numbers) if linked else [_panel(panel, numbers) for panel in panels]
    # Lines lead nowhere between panels that stand below each other, so a phone shows these side by side, too.
    return figure(parts, columns=(0, len(parts) if linked else 1), coloraxis=pale, meta=LayoutMeta(bars="below"))


def _joined(table: Matrix, output: Matrix, *, numbers: bool) -> list[Panel]:
    """A table, lines from its rows, and the output that they lead to."""
    colours = theme.token_colours(output.ids)
    # Names at its left would stand between the output and the lines.
    ends = _panel(table, numbers, colours), _panel(output, numbers, colours, side="right")
    return [replace(part, rem=_LINKED) for part in (ends[0], _links(table, output, colours), ends[1])]


def _panel(panel: Matrix, numbers: bool, colours: Mapping[int, str] | None = None, side: str = "left") -> Panel:
    """A panel that is as wide as its columns need. colours: of the names of rows with these IDs. side: of the names."""
    n_columns = panel.values.shape[1]
    hover = _("row {row}, column {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z}")
    form = f".{panel.decimals}f"
    texts = [[_written(number, form) for number in row] for row in panel.values.tolist()]
    cells = np.array(panel.spread(panel.values, np.full(n_columns, np.nan)), np.float32)
    trace = theme.heatmap(
        panel.title, cells, hover, y=list(range(panel.height)), xgap=2, ygap=2 if len(texts) <= _MAX_ROWS else 0,
        texttemplate="%{text}" if numbers else None, text=panel.spread(texts, [""] * n_columns) if numbers else None,
        textfont={"size": 15}, meta=TraceMeta(ids=panel.spread(panel.ids, None)),
    )  # fmt: skip
    columns = panel.columns or [str(n) for n in range(n_columns)]
    x = _names(columns, range(n_columns), 16, panel.across, range=[-0.5, n_columns - 0.5])
    rows = [
        theme.coloured(name, colours[id_]) if colours and id_ in colours else name
        for name, id_ in zip(panel.rows, panel.ids, strict=True)
    ]
    y = _names(rows, panel.places, _MAX_NAMES, range=[panel.height - 0.5, -0.5], tickfont={"size": 15}, side=side)
    wide = 1 if panel.decimals else 0.6  # whole numbers are short
    width, rem = max(wide * n_columns, 2), 2.1 * (panel.height + 2.2)
    return Panel(
        [trace], x, y, panel.title, sign=panel.sign, width=width, rem=rem, notes=_heading(panel), shapes=_frames(panel)
    )


def _heading(panel: Matrix) -> list[dict]:
    """The words above a row, which stand there as the title stands above the first one."""
    if panel.heading is None:
        return []
    row, text = panel.heading
    place = {"xref": "x domain", "x": 0, "xanchor": "left", "yref": "y", "y": panel.places[row] - 0.5}
    return [{"text": text, "yanchor": "bottom", "showarrow": False, "font": {"size": 15}, **place}]


def _written(number: float, form: str) -> str:
    """A number as it stands in its cell. A zero is pale: a product takes nothing from its row."""
    text = in_print(number, form)
    return text if number else theme.coloured(text, theme.FAINT)


def _frames(panel: Matrix) -> list[dict]:
    """The frame around a row or a cell, a little inside of it, since Plotly cuts off what is outside of a panel."""
    if panel.framed is None:
        return []
    row, column = panel.framed
    first, last = (0, panel.values.shape[1] - 1) if column is None else (column, column)
    ends = {"x0": first - 0.47, "x1": last + 0.47, "y0": row - 0.47, "y1": row + 0.47}
    return [{"type": "rect", "xref": "x", "yref": "y", "line": {"width": 3, "color": theme.INK}, **ends}]


def _links(table: Matrix, output: Matrix, colours: Mapping[int, str]) -> Panel:
    """Lines from the middle of a row of the table to that of each row of the output that has its ID.

    What stands at the same place below a heading as above it has a thin line: what has moved is what one looks at.
    """
    first = len(output.ids) if output.heading is None else output.heading[0]
    stays = {n for n, (a, b) in enumerate(zip(output.ids[:first], output.ids[first:], strict=False)) if a == b}
    widths = [1.0 if (n if n < first else n - first) in stays else 3.0 for n in range(len(output.ids))]
    traces = [
        theme.curve(
            "",
            np.array([0, 1]),
            np.array([(table.ids.index(id_) + 0.5) / table.height, (place + 0.5) / output.height]),
            line={"color": colours[id_], "width": width},
        )
        for place, id_, width in zip(output.places, output.ids, widths, strict=True)
    ]
    bare = {"visible": False, "fixedrange": True}
    width = max(1, 0.16 * (table.values.shape[1] + output.values.shape[1]))
    return Panel(traces, bare | {"range": [0, 1]}, bare | {"range": [1, 0]}, width=width, joins=True)


def _names(names: Sequence[str], places: Sequence[int], most: int, title: str = "", **options: Any) -> dict:
    """An axis with a name for each row or column, or for every so many of them. title: what all of them are."""
    every = max(1, -(-len(names) // most))
    ticks = {"tickvals": list(places)[::every], "ticktext": list(names)[::every], "ticks": ""}
    return theme.axis(title, grid=False, **ticks, **options)
