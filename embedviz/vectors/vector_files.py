"""Files with vectors of one's own: what is in them, and the source that they become. Nothing is ever unpickled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.text.uploaded import encoding_of, read_text
from embedviz.vectors import number_arrays, number_lines
from embedviz.vectors.brought import Brought, vectors

_POSITIONS = re.compile(r"(^|[._ ])pos|wpe", re.IGNORECASE)
_TOKENS = re.compile(r"(^|[._ ])tok|wte|word|^(vectors|embeddings?)$", re.IGNORECASE)
_OTHERS = re.compile("type|segment", re.IGNORECASE)
_TEXTS = ("token", "tokens", "texts", "words")


@dataclass(frozen=True, eq=False)
class VectorFile:
    """A file that was read. name, kind: its name, and one of "tsv", "csv", "npz", "npy" and "safetensors".

    tables: arrays of two dimensions by their names. texts, positions, places: of the rows of a table, by its name, as
    far as the file has them: the tokens, the positions, and the lines in which the rows stand. named: of an NPZ file,
    what the array with the texts is called. encoding: of a text file.
    """

    name: str
    kind: str
    tables: Mapping[str, np.ndarray]
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    positions: Mapping[str, Sequence[int]] = field(default_factory=dict)
    places: Mapping[str, Sequence[int]] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    encoding: str = "utf-8-sig"

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
        return _of_arrays(name, *found)
    kind = "csv" if name.lower().endswith(".csv") else "tsv"
    text = read_text(data, number_arrays.MOST_BYTES)
    parts = number_lines.lines_of(text, "," if kind == "csv" else "\t")
    columns = (
        {key: found for key, part in parts.items() if len(found := getattr(part, column))}
        for column in ("rows", "texts", "positions", "places")
    )
    return VectorFile(name, kind, *columns, encoding=encoding_of(data))


def read_texts(name: str, data: bytes) -> Texts:
    """The texts of tokens, a line for each. Raises EmbedvizError if the file is no such text."""
    number_arrays.check_size(data)
    return Texts(name, *number_lines.texts_of(read_text(data, number_arrays.MOST_BYTES)), encoding_of(data))


def source_from(
    file: VectorFile, token: str, position: str | None = None, texts: Texts | None = None, tokenizer: str = "gpt2"
) -> Brought:
    """The source whose token table and positions these are. Raises EmbedvizError as `vectors` does."""
    added = file.tables[position] if position else None
    if position and (places := file.positions.get(position)):
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


def _of_arrays(name: str, kind: str, arrays: Mapping[str, np.ndarray]) -> VectorFile:
    tables = {key: each for key, each in arrays.items() if each.ndim == 2 and each.size and each.dtype.kind in "fiu"}
    if not tables:
        raise EmbedvizError("The file has no table of numbers, an array with rows and columns.")

    named = {key: found for key, rows in tables.items() if (found := _beside(rows, arrays, _TEXTS, "U"))}
    placed = {key: found for key, rows in tables.items() if (found := _beside(rows, arrays, ("position",), "iu"))}
    texts, positions = (
        {key: arrays[found].tolist() for key, found in each.items()} for each in (named, placed)
    )  # fmt: skip
    return VectorFile(name, kind, tables, texts, positions, named=named)


def _beside(rows: np.ndarray, arrays: Mapping[str, np.ndarray], names: Sequence[str], kinds: str) -> str | None:
    """The name of the array of one dimension that belongs to a table, by its name, kind and length."""
    found = (name for name in names if name in arrays and arrays[name].dtype.kind in kinds)
    return next((name for name in found if arrays[name].shape == (len(rows),)), None)
