"""Spec to weight tables: built once, shared by every visitor, read-only, bounded in bytes."""

import threading
from dataclasses import dataclass

import cachetools
import numpy as np
import torch

from embedviz import positions
from embedviz.errors import EmbedvizError
from embedviz.spec import Spec

BUDGET_BYTES = 2**30  # all tables together; the one used longest ago goes first
MAX_TABLE_BYTES = 2**29  # one table: o200k_base fits at 640 dimensions


@dataclass(frozen=True)
class Table:
    """A weight table.

    weights: read-only float32 array of shape (rows, D).
    generator_state: where the seeded generator stood after filling it, for the table that comes next.
    """

    weights: np.ndarray
    generator_state: torch.Tensor

    @property
    def nbytes(self) -> int:
        """What the table takes of the budget."""
        return self.weights.nbytes + self.generator_state.nbytes


_tables = cachetools.LRUCache(maxsize=BUDGET_BYTES, getsizeof=lambda table: table.nbytes)
# With one condition for both functions a table that is asked for twice at once is built once.
_lock = threading.Condition()


def token_table(vocab_size: int, spec: Spec) -> Table:
    """The token embedding table of shape (V, D).

    Equals `torch.manual_seed(seed); nn.Embedding(vocab_size, output_dim)` bit for bit.
    Raises EmbedvizError if it would take more than MAX_TABLE_BYTES.
    """
    _check_size(vocab_size, spec.output_dim)
    return _seeded_tokens(vocab_size, spec.output_dim, spec.seed)


def position_table(vocab_size: int, spec: Spec) -> Table:
    """The learned positional table of shape (L, D): the `nn.Embedding` made after the token table."""
    _check_size(spec.context_length, spec.output_dim)
    after = token_table(vocab_size, spec).generator_state
    return _seeded_positions(vocab_size, spec.context_length, spec.output_dim, spec.seed, after)


def is_ready(vocab_size: int, spec: Spec) -> bool:
    """True if `token_table` need not be built: building a large one takes a second."""
    return ("tokens", vocab_size, spec.output_dim, spec.seed) in _tables


@cachetools.cached(_tables, key=lambda *key: ("tokens", *key), condition=_lock)
def _seeded_tokens(vocab_size: int, output_dim: int, seed: int) -> Table:
    # A generator of our own: the global one is shared by every visitor's thread.
    generator = torch.Generator().manual_seed(seed)
    weights = torch.empty(vocab_size, output_dim).normal_(generator=generator)
    return Table(_read_only(weights), generator.get_state())


@cachetools.cached(_tables, key=lambda *key: ("positions", *key[:4]), condition=_lock)
def _seeded_positions(vocab_size: int, context_length: int, output_dim: int, seed: int, after: torch.Tensor) -> Table:
    generator = torch.Generator()
    generator.set_state(after)
    weights = positions.learned.table(context_length, output_dim, generator)
    return Table(_read_only(weights), generator.get_state())


def _read_only(weights: torch.Tensor) -> np.ndarray:
    rows = weights.numpy()
    rows.flags.writeable = False
    return rows


def _check_size(n_rows: int, output_dim: int) -> None:
    nbytes = n_rows * output_dim * 4
    if nbytes > MAX_TABLE_BYTES:
        raise EmbedvizError(
            f"A table of {n_rows:,} rows and {output_dim:,} dimensions takes {nbytes / 2**20:,.0f} MiB; "
            f"the limit is {MAX_TABLE_BYTES / 2**20:,.0f}. Try output_dim {MAX_TABLE_BYTES // (4 * n_rows)}."
        )
