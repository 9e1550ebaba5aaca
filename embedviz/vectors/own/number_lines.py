"""Tables of numbers in text files: CSV as this project writes it, and TSV of the Embedding Projector.

pandas reads the numbers, while other threads go on. Our own code only looks for the fault in a file that was refused.
"""

import csv
import io
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_
from embedviz.base.settings import configured
from embedviz.vectors.own.number_arrays import MOST_BYTES, MOST_ROWS, check_tables

_MOST_DIMS = configured().dimensions
_LONGEST = 2**20  # characters of a line
_QUOTING: dict[str, Any] = {"\t": csv.QUOTE_NONE, ",": csv.QUOTE_MINIMAL}
_LARGEST = float(np.finfo(np.float32).max)
_NAMES = ("token", "text", "word", "label", "name")  # of a column with the texts of tokens
_PLAIN = re.compile(r'"([^"\\\x00-\x1f]*)"')  # a string of JSON that is read by taking its quotes off
_FIRST = re.compile(r"[\r\n]*([^\r\n]*)")


@dataclass(frozen=True)
class Lines:
    """The lines with one kind of vectors: float32 rows (N, D), and the number of each line in the file.

    texts, positions: those of each line, empty unless all lines have them. others: the columns before the numbers that
    are neither of these.
    """

    rows: np.ndarray
    places: Sequence[int]
    texts: Sequence[str]
    positions: Sequence[int]
    others: Sequence[str]


@dataclass(frozen=True)
class _Body:
    """The text below the header, and the lines before it. labels: the columns before the numbers. width: of all.

    n_ends: the line feeds in the text. To count those of 20 MiB takes 12 ms, a tenth of what pandas takes for the file.
    """

    text: str
    delimiter: str
    labels: Sequence[str]
    width: int
    before: int
    n_ends: int


def lines_of(text: str, delimiter: str) -> dict[str, Lines]:
    """The kinds of vectors in a text file. Raises EmbedvizError, with line and column if a number is wrong.

    With tabs, all columns are numbers. With commas there is a header: the columns of numbers are called 0, 1, 2 and so
    on, and the column `vectors` says which kind a line has. The texts are JSON strings in the column `token`, as this
    project writes them, or plain in another one before the numbers.
    """
    body = _body(text, delimiter)
    labels, rows = _read(body)
    is_whole = bool(np.isfinite(rows).all())  # no cell is empty
    if not is_whole and np.isinf(rows).any():
        raise _fault(body)
    places, of_kind = _places(body, len(rows)), {}
    for n, kind in enumerate(labels.get("vectors", ["vectors"] * len(rows))):
        of_kind.setdefault(kind, []).append(n)
    check_tables(len(of_kind))
    column = "token" if "vectors" in labels else _of_texts(body.labels)
    texts = labels.get(column, [])
    others, found = [name for name in labels if name not in (column, "position", "vectors")], {}
    for kind, lines in of_kind.items():
        mine = rows[lines] if len(of_kind) > 1 else rows
        width = rows.shape[1] if is_whole else _width(mine)
        if not width:
            raise _fault(body)
        named, placed = ([each[n] for n in lines if each] for each in (texts, labels.get("position", [])))
        found[kind] = Lines(
            mine[:, :width],
            [places[n] for n in lines],
            [*map(_text, named)] if all(named) else [],
            [int(each[:9]) for each in placed] if all(map(str.isdecimal, placed)) else [],
            others if all(named) or not any(named) else [*others, column],
        )
    return found


def _width(rows: np.ndarray) -> int:
    """How many numbers each row has before its empty cells, which are NaN; 0 if the rows differ in this."""
    empty = np.isnan(rows)
    width = rows.shape[1] - int(empty[0].sum())
    return 0 if (empty != (np.arange(rows.shape[1]) >= width)).any() else width


def _body(text: str, delimiter: str) -> _Body:
    first = cast("re.Match[str]", _FIRST.match(text))  # which fits any text
    if (n := first[1].count(delimiter) + 1) > _MOST_DIMS + 16:  # texts and positions stand before the numbers
        raise EmbedvizError(
            "{name} has {n:,} columns; {most:,} are the most here.", name="vectors", n=n, most=_MOST_DIMS
        )
    n_ends = _check_lines(text, n)
    begin, header = first.start(1), [*map(str, range(n))]  # which a TSV file has not
    if delimiter == ",":
        begin, header = first.end(), next(_cells(first[1], delimiter), ([], 0))[0]
    start = header.index("0") if "0" in header else -1
    if header[start:] != [*map(str, range(len(header) - start))]:
        raise EmbedvizError(
            "Line 1 must name the columns: at last 0, 1, 2 and so on for the numbers, and before them token for the "
            "texts of the tokens."
        )
    if not (body := text[begin:].lstrip("\r\n")):
        raise EmbedvizError("The file has no numbers.")
    before = text.count("\n", 0, len(text) - len(body))
    return _Body(body, delimiter, header[:start], len(header), before, n_ends - before)


def _places(body: _Body, n: int) -> Sequence[int]:
    """The numbers of the n lines."""
    if body.n_ends - body.text.endswith("\n") == n - 1:
        return range(body.before + 1, body.before + 1 + n)
    found = [place for _line, place in _cells(body.text, body.delimiter, body.before)]  # some go on in the next line
    if len(found) != n:
        raise _fault(body, '"')
    return found


def _read(body: _Body) -> tuple[dict[str, list[str]], np.ndarray]:
    """The columns of labels by their names, and the numbers, NaN for an empty cell."""
    import pandas as pd  # noqa: PLC0415 takes long, and few visitors bring a file

    file, start = io.BytesIO(body.text.encode()), len(body.labels)
    how = {"header": None, "keep_default_na": False, "na_values": [""]}
    warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # which part of a column is no number, `_fault` says
    try:
        frame = pd.read_csv(
            file,
            sep=body.delimiter,
            quoting=_QUOTING[body.delimiter],
            dtype=dict.fromkeys(range(start), object) or None,
            **how,
        )
    except (ValueError, OverflowError) as error:  # which pandas' own errors are, too
        raise _fault(body, str(error)) from error
    numbers = frame.iloc[:, start:]
    if frame.shape[1] != body.width or any(each.kind not in "fiu" for each in numbers.dtypes):
        raise _fault(body, "an integer has more than 64 bits")
    with np.errstate(over="ignore"):  # what is too large is said later
        rows = numbers.to_numpy(np.float32)
    return {name: frame[n].fillna("").tolist() for n, name in enumerate(body.labels)}, rows


def _fault(body: _Body, why: str = "") -> EmbedvizError:
    """What is wrong in the first line with a fault. why: what is said if we find none."""
    start, first_of = len(body.labels), {}
    for cells, place in _cells(body.text, body.delimiter, body.before):
        numbers = cells[start:]
        while len(cells) == body.width and numbers and not numbers[-1]:
            numbers.pop()
        kind = cells[body.labels.index("vectors")] if numbers and "vectors" in body.labels else ""
        n, first = first_of.setdefault(kind, (len(numbers), place))
        if not numbers or len(cells) != body.width:
            n, first = body.width - start, body.before + (body.delimiter == "\t")  # the header's line
        if len(numbers) != n:
            return EmbedvizError(
                "Lines {first:,} and {line:,} have {width:,} and {n:,} columns of numbers. All lines need as many.",
                line=place, n=len(numbers), first=first, width=n,
            )  # fmt: skip
        for column, cell in enumerate(numbers, start + 1):
            if said := _fault_of(cell):
                return EmbedvizError(said, line=place, column=column, given=short(cell))
    return EmbedvizError("The file is broken or cannot be read: {why}", why=why[:200])


def _fault_of(cell: str) -> str:
    """What is wrong with a number, nothing if it is right."""
    try:
        number = abs(float(cell if cell.isascii() and "_" not in cell else ""))  # Python allows more
    except ValueError:
        return N_("Line {line:,}, column {column:,}: {given} is no number. Write numbers like 0.25.")
    return "" if number <= _LARGEST else N_("Line {line:,}, column {column:,}: {given} is not finite, or too large.")


def _of_texts(header: Sequence[str]) -> str:
    """Which column holds texts: the one with a known name, or the first one."""
    return next((name for name in header if name.lower() in _NAMES), next(iter(header), ""))


def _text(cell: str) -> str:
    if plain := _PLAIN.fullmatch(cell):
        return plain[1]
    try:
        return json.loads(cell) if cell[0] == '"' else cell
    except ValueError:
        return cell


def texts_of(text: str) -> tuple[list[str], int, bool]:
    """The texts in a TSV file of metadata, a line for each token; the column they are in, and if there is a header.

    As the Embedding Projector wants it, a file of one column has no header, and one of several columns has one.
    """
    _check_lines(text)
    lines = [(n, line.rstrip("\n")) for n, line in enumerate(io.StringIO(text, newline=None), 1) if line != "\n"]
    header = lines[0][1].split("\t", 99) if lines else []
    column, has_header, texts = header.index(_of_texts(header)) if len(header) > 1 else 0, len(header) > 1, []
    for place, line in lines:
        cells = line.split("\t", column + 1)
        if len(cells) <= column:
            raise EmbedvizError("Line {line:,} of the texts ends before column {n:,}.", line=place, n=column + 1)
        texts.append(cells[column])
    return texts[has_header:], column, has_header


def _check_lines(text: str, width: int = 1) -> int:
    """How many line feeds a text has. Raises EmbedvizError for more lines than there may be, if `width` wide."""
    most = min(MOST_ROWS, MOST_BYTES // 2 // width)  # a number and what stands after it are two bytes
    n_ends = text.count("\n")
    if (n := n_ends or text.count("\r")) > most:
        raise EmbedvizError("The file has {n:,} lines; {most:,} are the most here.", n=n, most=most)
    return n_ends


def _cells(text: str, delimiter: str, before: int = 0) -> Iterator[tuple[list[str], int]]:
    """The cells of each line that is not empty, and its number."""
    lines = io.StringIO(text, newline="")
    pieces = iter(lambda: lines.readline(_LONGEST), "")  # a longer line has a fault in its first piece
    reader = csv.reader(pieces, delimiter=delimiter, quoting=_QUOTING[delimiter])
    try:
        for cells in reader:
            if cells:
                yield cells, before + reader.line_num
    except csv.Error as why:
        line = before + reader.line_num
        raise EmbedvizError("Line {line:,} cannot be read: {why}.", line=line, why=str(why)) from why
