"""What an embedding layer computes: a row of the table for each ID, which equals a one-hot matrix times the table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext

MAX_IDS = 64
_MAX_DIGITS = 18  # what an int64 holds


@dataclass(frozen=True)
class Lookup:
    """T IDs looked up in a table of V rows and D dimensions, in both ways.

    rows: float32 array of shape (T, D), the table's rows in the order of the IDs.
    one_hot: float32 array of shape (T, V), a single 1 in each row.
    product: one_hot @ table, float32 array of shape (T, D).
    """

    ids: tuple[int, ...]
    table: np.ndarray
    rows: np.ndarray
    one_hot: np.ndarray
    product: np.ndarray

    @property
    def largest_difference(self) -> float:
        """The largest difference between the two ways, over all T x D numbers."""
        return float(np.abs(self.rows - self.product).max(initial=0.0))


def parse_ids(text: str) -> tuple[int, ...]:
    """Read IDs such as "2, 3, 5, 1". Raises EmbedvizError for what is no whole number, and for none or too many."""
    words = [word for word in re.split(r"[\s,;]+", text.strip().strip("[]()")) if word]
    strange = [word for word in words if not re.fullmatch(r"[+-]?\d+", word, re.ASCII)]
    if strange:
        raise EmbedvizError(
            "{strange} is not a whole number. Type IDs such as 2, 3, 5, 1, or words alone.", strange=strange[0]
        )
    long = [word for word in words if len(word) > _MAX_DIGITS]
    if long:
        raise EmbedvizError("{long} is too large for an ID.", long=long[0])
    if len(words) > MAX_IDS:
        raise EmbedvizError("{n} IDs are too many; the limit is {limit}.", n=len(words), limit=MAX_IDS)
    if not words:
        raise EmbedvizError("Type at least one ID, such as 2.")
    return tuple(map(int, words))


def check_ids(ids: Sequence[int], vocab_size: int) -> None:
    """Raise EmbedvizError if the table has no row for one of the IDs: with PyTorch's words, and what would be right."""
    missing = next((id_ for id_ in ids if not 0 <= id_ < vocab_size), None)
    if missing is None:
        return
    rows = ngettext("{n:,} row", "{n:,} rows", vocab_size)
    about = {"id": missing, "rows": rows, "ids": ids_of(vocab_size), "error": pytorch_error(vocab_size, 1, [missing])}
    if missing < 0:
        raise EmbedvizError(
            "There is no row {id}: a table of {rows} has {ids}. PyTorch says: {error}. A negative ID does not count "
            "from the end, as it does in Python’s lists.",
            **about,
        )
    raise EmbedvizError(
        "There is no row {id}: a table of {rows} has {ids}. PyTorch says: {error}. ID {id} needs a vocab_size of "
        "{least:,} or more.",
        least=missing + 1,
        **about,
    )


def ids_of(vocab_size: int) -> str:
    """The range of a table's IDs in words."""
    return _("the ID 0 alone") if vocab_size == 1 else _("the IDs 0 to {last:,}", last=vocab_size - 1)


def look_up(ids: Sequence[int], table: np.ndarray) -> Lookup:
    """Look T IDs up in a table (V, D), as rows and as a product. Raises EmbedvizError for an ID outside the table."""
    vocab_size = len(table)
    check_ids(ids, vocab_size)
    one_hot = np.zeros((len(ids), vocab_size), np.float32)  # (T, V)
    one_hot[np.arange(len(ids)), list(ids)] = 1
    rows = table[list(ids)]  # (T, D)
    return Lookup(tuple(ids), table, rows, one_hot, one_hot @ table)


def pytorch_error(n_rows: int, output_dim: int, ids: Sequence[int]) -> str | None:
    """PyTorch's error message for these IDs in a table of n_rows rows. None if PyTorch raises no error."""
    try:
        with torch.no_grad():
            torch.nn.functional.embedding(torch.tensor(ids), torch.empty(n_rows, output_dim))
    except (IndexError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None
