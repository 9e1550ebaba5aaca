"""Files with vectors of one's own: what is in them, and the source that they become. Nothing is ever unpickled."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, ngettext, paragraph, translated
from embedviz.text.uploaded import encoding_of, read_text
from embedviz.vectors.own import number_arrays, number_lines
from embedviz.vectors.own.brought import UploadedVectors, vectors
from embedviz.vectors.own.number_arrays import Arrays

_POSITIONS = re.compile(r"(^|[._ ])pos|wpe", re.IGNORECASE)
_TOKENS = re.compile(r"(^|[._ ])tok|wte|word|^(vectors|embeddings?)$", re.IGNORECASE)
_OTHERS = re.compile("type|segment", re.IGNORECASE)
_SCALES = re.compile(r"(^|[._])(scales?|q?zeros|zero_points?|absmax)$", re.IGNORECASE)
_TEXTS = ("token", "tokens", "texts", "words")
_ROWS = "mapping"  # an array of model2vec: for each ID the row of the table
_MOST_REASONS = 4
_TEXTS_LEFT = N_(
    "{name} holds texts and is left aside. Texts of tokens are called tokens, one for each row: "
    "np.savez('vectors.npz', vectors=vectors, tokens=np.array(texts, dtype=str))."
)
_COLUMN_LEFT = N_("The column {name} is left aside: texts are taken from one column, and each line must have one.")
_SCALES_LEFT = N_("{name} is left aside: multiply the whole numbers by it, and save the products as one table.")
_ROWS_LEFT = N_("{name} is left aside: it is used only where it has, for each ID, a row of the file's only table.")
_SHAPE_LEFT = N_("{name} is left aside: it has one number for each row, and a vector has several.")
_TYPE_LEFT = N_("{name} is left aside: its numbers are neither whole nor floating-point.")


@dataclass(frozen=True, eq=False)
class VectorFile:
    """A file that was read. name, kind: its name, and one of "tsv", "csv", "npz", "npy" and "safetensors".

    tables: arrays of two dimensions by their names. texts, positions, places: of the rows of a table, by its name, as
    far as the file has them: the tokens, the positions, and the lines in which the rows stand. named: of an NPZ file,
    what the array with the texts is called. mapped: of a table whose rows were put in the order of IDs, what the array
    with this order is called. encoding: of a text file. left_aside: by the names of what was not taken, a text that
    says why.
    """

    name: str
    kind: str
    tables: Mapping[str, np.ndarray]
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    positions: Mapping[str, Sequence[int]] = field(default_factory=dict)
    places: Mapping[str, Sequence[int]] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    mapped: Mapping[str, str] = field(default_factory=dict)
    encoding: str = "utf-8-sig"
    left_aside: Mapping[str, str] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """The bytes that its tables take in memory, as they were read and as float32."""
        return sum(each.nbytes + 4 * each.size for each in self.tables.values())

    @cached_property
    def likely(self) -> tuple[str | None, str | None]:
        """The names of the token table and of the table of positions, None where that is not clear."""
        added = [name for name in self.tables if _POSITIONS.search(name)]
        others = [name for name in self.tables if name not in added and not _OTHERS.search(name)]
        tokens = [name for name in others if _TOKENS.search(name)] or others
        token = tokens[0] if len(tokens) == 1 else None
        return token, added[0] if token and len(added) == 1 else None


@dataclass(frozen=True, eq=False)
class Texts:
    """The texts of tokens from a file of their own: its name, the column that they are in, and if it has a header."""

    name: str
    texts: Sequence[str]
    column: int
    has_header: bool
    encoding: str = "utf-8-sig"


@dataclass(frozen=True)
class Origin:
    """Where one's own vectors were read: the file, the names of its tables, and the file of their texts, if any."""

    file: VectorFile
    token: str
    position: str | None
    texts: Texts | None


def read(name: str, data: bytes) -> VectorFile:
    """Read a file. Raises EmbedvizError, which says what is wrong and where, if it holds no vectors."""
    if found := number_arrays.arrays(name, data):
        return _of_arrays(name, found)
    kind = "csv" if name.lower().endswith(".csv") else "tsv"
    text = read_text(data, number_arrays.MOST_BYTES)
    parts = number_lines.lines_of(text, "," if kind == "csv" else "\t")
    columns = (
        {key: found for key, part in parts.items() if len(found := getattr(part, column))}
        for column in ("rows", "texts", "positions", "places")
    )
    left = {column: _COLUMN_LEFT for part in parts.values() for column in part.others}
    return VectorFile(name, kind, *columns, encoding=encoding_of(data), left_aside=left)


def read_texts(name: str, data: bytes) -> Texts:
    """The texts of tokens, a line for each. Raises EmbedvizError if the file is no such text."""
    number_arrays.check_size(data)
    return Texts(name, *number_lines.texts_of(read_text(data, number_arrays.MOST_BYTES)), encoding_of(data))


def source_from(
    file: VectorFile, token: str, position: str | None = None, texts: Texts | None = None, tokenizer: str = "gpt2"
) -> UploadedVectors:
    """The source whose token table and positions these are. Raises EmbedvizError as `vectors` does."""
    added = file.tables[position] if position else None
    if position and added is not None and (places := file.positions.get(position)):
        added = _in_order(added, places)
    named = texts.texts if texts else file.texts.get(token)
    return vectors(
        file.tables[token],
        named,
        added,
        tokenizer=tokenizer,
        places=file.places.get(token),
        origin=Origin(file, token, position, texts),
    )


def _in_order(rows: np.ndarray, places: Sequence[int]) -> np.ndarray:
    """The row of each position, from 0. Raises EmbedvizError if one is missing, or has two rows that differ."""
    first: dict[int, int] = {}
    for row, place in enumerate(places):
        before = first.setdefault(place, row)
        if rows[before].tobytes() != rows[row].tobytes():
            raise EmbedvizError("Position {n:,} has two vectors that differ. Keep one of them.", n=place)
    missing = next((n for n in range(len(first)) if n not in first), None)
    if missing is not None:
        raise EmbedvizError("There is no vector of position {n:,}, but of a later one.", n=missing)
    return rows[[first[n] for n in range(len(first))]]


def _of_arrays(name: str, file: Arrays) -> VectorFile:
    arrays = file.by_name
    numbers = {key: each for key, each in arrays.items() if each.ndim == 2 and each.size and each.dtype.kind in "fiu"}
    is_quantized = any(each.dtype.kind in "iu" and not _SCALES.search(key) for key, each in numbers.items())
    scales = {key for key in arrays if is_quantized and _SCALES.search(key)}
    tables = {key: each for key, each in numbers.items() if key not in scales}
    number_arrays.check_rows(max(map(len, tables.values()), default=0))
    tables, mapped = _by_ids(tables, arrays.get(_ROWS))
    named, placed = (
        {key: beside for key, rows in tables.items() if (beside := _beside(rows, arrays, names, kinds))}
        for names, kinds in ((_TEXTS, "U"), (("position",), "iu"))
    )
    taken = {*tables, *scales, *named.values(), *placed.values(), *mapped.values()}
    lengths = {len(each) for each in tables.values()}
    left = {key: _why_left(key, each, lengths) for key, each in arrays.items() if key not in taken}
    left = {**file.left_aside, **dict.fromkeys(scales, _SCALES_LEFT), **{key: why for key, why in left.items() if why}}
    if not tables:
        text = "The file has no table of numbers, an array with rows and columns. {left}"
        raise EmbedvizError(text, left=partial(reasons, left))
    try:
        texts, positions = (
            {key: arrays[beside].tolist() for key, beside in each.items()} for each in (named, placed)
        )  # fmt: skip
    except SystemError as error:  # NumPy's, for a number that stands for no character
        raise EmbedvizError("The file is broken or cannot be read: {why}", why=str(error)[:200]) from error
    return VectorFile(name, file.kind, tables, texts, positions, named=named, mapped=mapped, left_aside=left)


def reasons(left_aside: Mapping[str, str]) -> str:
    """Why these arrays of a file are left aside, in the language that is spoken now; the first of them, if many are."""
    names = [*left_aside][:_MOST_REASONS]
    more = len(left_aside) - len(names)
    said = [translated(left_aside[name], name=short(name)) for name in names]
    return paragraph([*said, ngettext("So is {n:,} more.", "So are {n:,} more.", more) if more else ""])


def _by_ids(tables: Mapping[str, np.ndarray], rows: np.ndarray | None) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The tables, the only one with its rows in the order of the IDs if the file says which row each ID has."""
    tables = dict(tables)
    if len(tables) != 1 or rows is None or rows.ndim != 1 or not rows.size or rows.dtype.kind not in "iu":
        return tables, {}
    ((name, table),) = tables.items()
    if not 0 <= rows.min() <= rows.max() < len(table):
        return tables, {}
    number_arrays.check_rows(len(rows))
    number_arrays.check_bytes(len(rows) * table[0].nbytes)
    return {name: table[rows]}, {name: _ROWS}


def _why_left(name: str, array: np.ndarray, lengths: Collection[int]) -> str:
    """Why an array that was not taken is left aside; "" for one that nobody would miss. lengths: of the tables."""
    if array.dtype.kind in "US":
        return _TEXTS_LEFT
    if name == _ROWS:
        return _ROWS_LEFT
    if array.ndim == 2 and array.size and array.dtype.kind not in "fiu":
        return _TYPE_LEFT
    return _SHAPE_LEFT if array.ndim == 1 and len(array) in lengths else ""


def _beside(rows: np.ndarray, arrays: Mapping[str, np.ndarray], names: Sequence[str], kinds: str) -> str | None:
    """The name of the array of one dimension that belongs to a table, by its name, kind and length."""
    found = (name for name in names if name in arrays and arrays[name].dtype.kind in kinds)
    return next((name for name in found if arrays[name].shape == (len(rows),)), None)
