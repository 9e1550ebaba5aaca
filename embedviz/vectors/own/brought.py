"""Vectors of one's own as a source: a table of tokens, their texts, and a table of positions if there is one."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.text.tokens import without_surrogates
from embedviz.text.whitespace_tokens import SPACES, Texts
from embedviz.vectors.sources import BuiltinSource

MOST_DIMS = configured().dimensions


class UploadedVectors(BuiltinSource):
    """Vectors that somebody has brought along. Each object is a source of its own, whatever its numbers are.

    No cache keeps them, so that they end with the session or the program that has them. origin: the file that they were
    read from, if there is one.
    """

    name = title = "own"
    is_shared = False

    def __init__(
        self, table: np.ndarray, texts: Texts | None, positions: np.ndarray | None, tokenizer: str, origin: Any = None
    ) -> None:
        self._table, self.texts, self._positions, self.origin = table, texts, positions, origin
        self.n_rows, self.has_positions = len(table), positions is not None
        self.decided: Mapping[str, Any] = {"tokenizer": tokenizer, "output_dim": table.shape[1]}
        if positions is not None:
            self.decided["context_length"] = len(positions)

    def __repr__(self) -> str:
        return f"vectors({self.n_rows:,} × {self._table.shape[1]:,})"

    @property
    def whose(self) -> str:
        """Whose vectors these are, for the line under the title."""
        n_dims = self._table.shape[1]
        return _("Your own vectors, {n:,} × {dims:,}: a link does not take them along.", n=self.n_rows, dims=n_dims)

    def about_positions(self) -> str:
        """That there are none of one's own, and which there are."""
        return _("Your own vectors have no table of positions. The sinusoids need none.")

    def token_table(self, *_sizes: object) -> np.ndarray:
        """The token table, float32 of shape (V, D)."""
        return self._table

    def token_rows(self, ids: Sequence[int], vocab_size: int = 0, spec: Any = None) -> np.ndarray:
        """The rows of these IDs, float32 of shape (T, D)."""
        return self._table[list(ids)]

    def position_table(self, *_sizes: object) -> np.ndarray:
        """The table of positions, float32 of shape (L, D). Raises EmbedvizError if there is none."""
        if self._positions is None:
            raise EmbedvizError(self.about_positions())
        return self._positions

    def position_rows(self, n_positions: int, vocab_size: int = 0, spec: Any = None) -> np.ndarray:
        """The first rows of this table, float32 (n_positions, D), or all if it has fewer."""
        return self.position_table()[:n_positions]

    def first_positions(self, n_positions: int, *_sizes: object) -> np.ndarray:
        """The same."""
        return self.position_rows(n_positions)

    def is_near(self, *_sizes: object) -> bool:
        """True, since they are in memory."""
        return True


def vectors(
    array: np.ndarray,
    texts: Sequence[str] | None = None,
    positions: np.ndarray | None = None,
    *,
    tokenizer: str = "gpt2",
    places: Sequence[int] | None = None,
    origin: Any = None,
) -> UploadedVectors:
    """Vectors of one's own as the source of a Spec.

    array: V rows of D numbers. texts: of the V tokens; a sentence is then cut at its spaces. Without them row n is the
    vector of the tokenizer's ID n. positions: L rows of D numbers, if there are any. places: the lines of a file in
    which the rows stand, which errors name. origin: see `UploadedVectors`.

    Raises EmbedvizError for other shapes, for numbers that are not finite, and for two different rows of one token.
    """
    table = _table("array", array)
    added = None if positions is None else _table("positions", positions)
    if added is not None and added.shape[1] != table.shape[1]:
        raise EmbedvizError(
            "The positions have {n:,} numbers each, and the tokens {dims:,}. Take a table of as many.",
            n=added.shape[1],
            dims=table.shape[1],
        )
    if texts is None:
        return UploadedVectors(table, None, added, tokenizer, origin)
    named = [*map(without_surrogates, _checked(texts))]
    if len(named) != len(table):
        raise EmbedvizError(
            "There are {n:,} texts of tokens for {rows:,} vectors. Each vector needs one.",
            n=len(named),
            rows=len(table),
        )
    first = _first_rows(table, named, places)
    if len(first) < len(named):
        table = read_only(table[[*first.values()]])
    return UploadedVectors(table, Texts(first), added, SPACES, origin)


def _checked(texts: Sequence[str]) -> Sequence[str]:
    if isinstance(texts, str) or not all(isinstance(each, str) for each in texts):
        raise EmbedvizError("texts must be strings, one for each vector, not {given}.", given=short(texts))
    return texts


def _first_rows(table: np.ndarray, texts: Sequence[str], places: Sequence[int] | None) -> dict[str, int]:
    """The first row of each token. Raises EmbedvizError if another row of the same token differs from it."""
    first: dict[str, int] = {}
    for row, text in enumerate(texts):
        before = first.setdefault(text, row)
        if before != row and table[before].tobytes() != table[row].tobytes():
            lines = places or range(1, len(texts) + 1)
            raise EmbedvizError(
                "{token} has two vectors that differ, in {place} {first:,} and {second:,}. Keep one of them.",
                token=short(text),
                place=_("lines") if places else _("rows"),
                first=lines[before],
                second=lines[row],
            )
    return first


def _table(name: str, array: object) -> np.ndarray:
    """The rows as read-only float32 of shape (N, D), a copy. Raises EmbedvizError if they are no such table."""
    array = np.asarray(array)
    if array.dtype.kind not in "fiu":
        raise EmbedvizError("{name} must be numbers, not of type {given}.", name=name, given=short(str(array.dtype)))
    if array.ndim != 2 or not array.size:
        raise EmbedvizError(
            "{name} must have rows and columns: its shape is {given}.", name=name, given=short(array.shape)
        )
    if array.shape[1] > MOST_DIMS:
        raise EmbedvizError(
            "{name} has {n:,} columns; {most:,} are the most here.", name=name, n=array.shape[1], most=MOST_DIMS
        )
    with np.errstate(over="ignore"):  # what is too large is said below
        rows = np.array(array, np.float32, order="C")
    if not (finite := np.isfinite(rows)).all():
        row, column = np.argwhere(~finite)[0] + 1
        raise EmbedvizError(
            "{name}, row {row:,}, column {column:,}: {given} is not finite, or too large.",
            name=name,
            row=int(row),
            column=int(column),
            given=str(array[row - 1, column - 1]),
        )
    return read_only(rows)
