"""Tables of numbers in text files: CSV as this project writes it, and TSV of the Embedding Projector."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError

_NAMES = ("token", "text", "word", "label", "name")  # of a column with the texts of tokens


@dataclass
class Lines:
    """The lines with one kind of vectors. texts, positions: those of each line, empty if the file has none.

    numbers: of each line. places: the number of each line in the file. width: how many
    numbers each line has. start: how many columns stand before them.
    """

    start: int = 0
    width: int = 0
    numbers: Sequence[Sequence[float]] = field(default_factory=list)
    places: Sequence[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)

    def add(self, cells: Sequence[str], place: int) -> None:
        """Take the numbers of a line. Raises EmbedvizError if there are more or fewer than in the lines before."""
        n = len(cells)
        while n and not cells[n - 1]:
            n -= 1
        self.width = self.width or n
        if n != self.width or not n:
            raise EmbedvizError(
                "Line {line:,} ends after {n:,} columns of numbers, and line {first:,} after {width:,}. All lines need "
                "as many.",
                line=place,
                n=n,
                first=self.places[0] if self.places else place,
                width=self.width,
            )
        self.numbers.append([_number(cell, place, column) for column, cell in enumerate(cells[:n], self.start + 1)])
        self.places.append(place)

    def take(self, rows: np.ndarray, places: Sequence[int]) -> None:
        """Take the numbers of all these lines."""
        self.numbers, self.width, self.places = rows, rows.shape[1], places

    def label(self, texts: Iterable[str], positions: Iterable[str]) -> None:
        """Take texts and positions, of lines that have them."""
        self.texts += [_text(cell) for cell in texts if cell]
        self.positions += [int(cell[:9]) for cell in positions if cell.isascii() and cell.isdigit()]

    def table(self) -> np.ndarray:
        """The numbers, float32 of shape (N, D)."""
        return np.asarray(self.numbers, np.float32).reshape(-1, self.width)


def _number(cell: str, line: int, column: int) -> float:
    try:
        if "_" in cell:  # which Python allows between digits
            raise ValueError(cell)
        number = float(cell)
    except ValueError as error:
        raise EmbedvizError(
            "Line {line:,}, column {column:,}: {given} is no number. Write numbers like 0.25.",
            line=line,
            column=column,
            given=short(cell),
        ) from error
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(np.float32(number))
    if not is_finite:
        raise EmbedvizError(
            "Line {line:,}, column {column:,}: {given} is not finite, or too large.",
            line=line,
            column=column,
            given=short(cell),
        )
    return number


def of_tsv(text: str) -> dict[str, Lines]:
    """The vectors of a TSV file without a header, a line for each."""
    found = Lines()
    if at_once := _at_once(text, "\t"):
        found.take(at_once[1], range(1, len(at_once[1]) + 1))
    else:
        for cells, place in _cells(text, "\t"):
            found.add(cells, place)
    if not found.places:
        raise EmbedvizError("The file has no numbers.")
    return {"vectors": found}


def of_csv(text: str) -> dict[str, Lines]:
    """The kinds of vectors in a CSV file: its columns of numbers are called 0, 1, 2 and so on.

    The column `vectors` says which kind a line has. The texts are JSON strings in the column `token`, as this project
    writes them, or plain in another one before the numbers.
    """
    header, _place = next(_cells(text[: text.find("\n") + 1] or text, ","), ([], 0))
    start = next((n for n, name in enumerate(header) if name == "0"), None)
    if start is None or header[start:] != [*map(str, range(len(header) - start))]:
        raise EmbedvizError(
            "Line 1 must name the columns: at last 0, 1, 2 and so on for the numbers, and before them token for the "
            "texts of the tokens."
        )
    columns = {name: n for n, name in enumerate(header[:start])}
    which, position = columns.get("vectors"), columns.get("position")
    token = _of_texts(header[:start]) if which is None else columns.get("token")
    columns = which, token, position
    at_once = _at_once(text, ",", start, len(header))
    found = _of_columns(*at_once, *columns) if at_once else _of_lines(text, start, *columns)
    if not found:
        raise EmbedvizError("The file has no numbers.")
    return found


def _of_lines(text: str, start: int, which: int | None, token: int | None, position: int | None) -> dict[str, Lines]:
    """The kinds of vectors, line by line, so that an error can say where it is."""
    found: dict[str, Lines] = {}
    for cells, place in islice(_cells(text, ","), 1, None):
        labels = [*cells[:start], *[""] * (start - len(cells))]
        part = found.setdefault("vectors" if which is None else labels[which], Lines(start))
        part.add(cells[start:], place)
        part.label([] if token is None else [labels[token]], [] if position is None else [labels[position]])
    return found


def _of_columns(
    labels: Sequence[Sequence[str]], rows: np.ndarray, which: int | None, token: int | None, position: int | None
) -> dict[str, Lines]:
    """The same of all lines at once."""
    kinds = np.array(["vectors"] * len(rows) if which is None else labels[which], object)
    found: dict[str, Lines] = {}
    for kind in dict.fromkeys(kinds):
        those = np.flatnonzero(kinds == kind).tolist()
        found[kind] = part = Lines(len(labels))
        part.take(rows if len(those) == len(rows) else rows[those], [n + 2 for n in those])  # line 1 is the header
        part.label(*([] if n is None else [labels[n][line] for line in those] for n in (token, position)))
    return found


def _at_once(
    text: str, delimiter: str, start: int = 0, width: int | None = None
) -> tuple[list[list[str]], np.ndarray] | None:
    """The columns of texts, and the numbers of all lines, ten times as fast. None if anything is unusual in them.

    start, width: how many columns of texts stand before the numbers, and how many columns there are, if that is known.
    """
    import pandas as pd  # noqa: PLC0415 takes long, and few visitors bring a file

    try:
        frame = pd.read_csv(
            io.BytesIO(text.encode()), sep=delimiter, header=None, skiprows=int(width is not None), low_memory=False,
            na_filter=False, skip_blank_lines=False, dtype=dict.fromkeys(range(start), str),
            quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE,
        )  # fmt: skip
    except (ValueError, OverflowError):  # which pandas' own errors are, too
        return None
    labels, numbers = [frame[n].tolist() for n in range(min(start, frame.shape[1]))], frame.iloc[:, start:]
    if frame.shape[1] != (width or frame.shape[1]) or any(each.kind not in "fiu" for each in numbers.dtypes):
        return None
    with np.errstate(over="ignore"):
        rows = numbers.to_numpy(np.float32)
    goes_on = any("\n" in text for column in labels for text in column)  # over several lines
    return None if goes_on or not np.isfinite(rows).all() else (labels, rows)


def _of_texts(header: Sequence[str]) -> int | None:
    """Which column holds texts: the one with a known name, or the first one."""
    known = [n for n, name in enumerate(header) if name.lower() in _NAMES]
    return known[0] if known else 0 if header else None


def _text(cell: str) -> str:
    if len(cell) > 1 and cell[0] == '"' == cell[-1]:
        if cell.count('"') == 2 and "\\" not in cell:  # as most are; ten times as fast
            return cell[1:-1]
        try:
            return str(json.loads(cell))
        except ValueError:
            return cell
    return cell


def texts_of(text: str) -> tuple[list[str], int, bool]:
    """The texts in a TSV file of metadata, a line for each token; the column they are in, and if there is a header.

    As the Embedding Projector wants it, a file of one column has no header, and one of several columns has one.
    """
    lines = [cells for cells, _place in _cells(text, "\t")]
    header = lines[0] if lines else []
    column = _of_texts(header) if len(header) > 1 else 0
    for place, cells in enumerate(lines, 1):
        if len(cells) <= column:
            raise EmbedvizError("Line {line:,} of the texts ends before column {n:,}.", line=place, n=column + 1)
    return [cells[column] for cells in lines[len(header) > 1 :]], column, len(header) > 1


def _cells(text: str, delimiter: str) -> Iterator[tuple[list[str], int]]:
    """The cells of each line that is not empty, and its number."""
    quoting = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    try:
        for cells in reader:
            if cells:
                yield cells, reader.line_num
    except csv.Error as error:
        raise EmbedvizError("Line {line:,} cannot be read: {why}.", line=reader.line_num, why=str(error)) from error
