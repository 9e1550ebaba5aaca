"""Turns a Spec into weight tables, which are built once, shared by every visitor, read-only, and bounded in bytes."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cachetools
import numpy as np
import torch
from safetensors import numpy as safetensors

from embedviz import models, positions
from embedviz.base import metrics
from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.text import samples
from embedviz.vectors.sources import is_model
from embedviz.vectors.spec import Spec

BUDGET_BYTES = configured().tables_mib * 2**20  # for all tables; the table used longest ago is removed first
_STATE_BYTES = 2**13  # of a generator, more than it takes: a table that alone is over the budget would never be kept
MAX_TABLE_BYTES = min(configured().table_mib * 2**20, BUDGET_BYTES - _STATE_BYTES)  # by default 640 dims of o200k_base


@dataclass(frozen=True)
class Table:
    """A weight table.

    weights: read-only float32 array of shape (rows, D).
    generator_state: where the seeded generator stood after filling it, for the table that comes next;
        None if no generator did.
    """

    weights: np.ndarray
    generator_state: torch.Tensor | None = None

    def __post_init__(self) -> None:
        metrics.tables_built.inc()

    @property
    def nbytes(self) -> int:
        """How many bytes of the budget the table takes."""
        return self.weights.nbytes + (0 if self.generator_state is None else self.generator_state.nbytes)


_tables = cachetools.LRUCache(maxsize=BUDGET_BYTES, getsizeof=lambda table: table.nbytes)
# Both functions share one condition, so that a table is built once even if it is asked for twice at the same time.
_lock = threading.Condition()
metrics.table_bytes.set_function(lambda: _tables.currsize)


def token_table(vocab_size: int, spec: Spec) -> Table:
    """The token embedding table of shape (V, D).

    Of the source random it equals `torch.manual_seed(seed); nn.Embedding(vocab_size, output_dim)` bit for
    bit. Raises EmbedvizError if it would take more than MAX_TABLE_BYTES.
    """
    if is_model(spec.source):
        check_model(spec.source)
    else:
        _check_size(vocab_size, spec.output_dim)
    return _reader(spec).tokens(vocab_size, spec)


def position_table(vocab_size: int, spec: Spec) -> Table:
    """The learned positional table of shape (L, D): the `nn.Embedding` made after the token table."""
    _check_size(spec.context_length, spec.output_dim)
    return _reader(spec).positions(vocab_size, spec)


def token_rows(ids: Sequence[int], vocab_size: int, spec: Spec) -> np.ndarray:
    """The rows of the token table in the order of the IDs, shape (T, D), writeable.

    Raises EmbedvizError as `token_table` does, and Unavailable if a pretrained source cannot be read now.
    """
    if not len(ids):
        return np.empty((0, spec.output_dim), np.float32)
    return _reader(spec).token_rows(ids, vocab_size, spec)


def position_rows(n_positions: int, vocab_size: int, spec: Spec) -> np.ndarray:
    """The first rows of the learned positional table, shape (n_positions, D). Raises as `token_rows` does."""
    if not n_positions:
        return np.empty((0, spec.output_dim), np.float32)
    return _reader(spec).position_rows(n_positions, vocab_size, spec)


def is_ready(vocab_size: int, spec: Spec, ids: Sequence[int] = ()) -> bool:
    """True if the rows of these IDs are there. Otherwise it takes a second to build a large table or to fetch rows."""
    return _reader(spec).is_ready(vocab_size, spec, ids)


def _random_tokens(vocab_size: int, spec: Spec) -> Table:
    return _seeded_tokens(vocab_size, spec.output_dim, spec.seed)


def _random_positions(vocab_size: int, spec: Spec) -> Table:
    after = _random_tokens(vocab_size, spec).generator_state
    return _seeded_positions(vocab_size, spec.context_length, spec.output_dim, spec.seed, after)


def _random_is_ready(vocab_size: int, spec: Spec, ids: Sequence[int]) -> bool:
    return ("tokens", vocab_size, spec.output_dim, spec.seed) in _tables


@cachetools.cached(_tables, key=lambda *key: ("tokens", *key), condition=_lock)
def _seeded_tokens(vocab_size: int, output_dim: int, seed: int) -> Table:
    # We use a generator of our own, since all visitors' threads share the global one.
    generator = torch.Generator().manual_seed(seed)
    weights = torch.empty(vocab_size, output_dim).normal_(generator=generator)
    return Table(read_only(weights.numpy()), generator.get_state())


@cachetools.cached(_tables, key=lambda *key: ("positions", *key[:4]), condition=_lock)
def _seeded_positions(vocab_size: int, context_length: int, output_dim: int, seed: int, after: torch.Tensor) -> Table:
    generator = torch.Generator()
    generator.set_state(after)
    weights = positions.learned.table(context_length, output_dim, generator)
    return Table(read_only(weights.numpy()), generator.get_state())


@cache
def _trained() -> tuple[Table, Table]:
    """The token and the positional table of the finished run in `data/training`."""
    tensors = safetensors.load(samples.training("default"))
    found = [tensors[f"{name}_embedding.weight"] for name in ("token", "position")]
    return Table(read_only(found[0])), Table(read_only(found[1]))


def _rows_of_whole(ids: Sequence[int], vocab_size: int, spec: Spec) -> np.ndarray:
    return token_table(vocab_size, spec).weights[list(ids)]


def _positions_of_whole(n_positions: int, vocab_size: int, spec: Spec) -> np.ndarray:
    return position_table(vocab_size, spec).weights[:n_positions]


@cachetools.cached(_tables, key=lambda vocab_size, spec: ("tokens", spec.source), condition=_lock)
def _pretrained_tokens(vocab_size: int, spec: Spec) -> Table:
    return Table(read_only(models.token_table(spec.source)))


@cachetools.cached(_tables, key=lambda vocab_size, spec: ("positions", spec.source), condition=_lock)
def _pretrained_positions(vocab_size: int, spec: Spec) -> Table:
    return Table(read_only(models.position_rows(spec.source, spec.context_length)))


@dataclass(frozen=True)
class _Reader:
    """The functions that get a source's tables, given vocab_size and a Spec, and say whether the tables are there.

    token_rows, position_rows: the functions that get some rows, if that takes less than getting the whole table.
    """

    tokens: Callable[[int, Spec], Table]
    positions: Callable[[int, Spec], Table]
    is_ready: Callable[[int, Spec, Sequence[int]], bool]
    token_rows: Callable[[Sequence[int], int, Spec], np.ndarray] = _rows_of_whole
    position_rows: Callable[[int, int, Spec], np.ndarray] = _positions_of_whole


_PRETRAINED = _Reader(
    _pretrained_tokens,
    _pretrained_positions,
    lambda _, spec, ids: models.is_near(spec.source, ids, len(ids)),
    lambda ids, _, spec: models.token_rows(spec.source, ids),
    lambda n_positions, _, spec: models.position_rows(spec.source, n_positions),
)
_READERS = {
    "random": _Reader(_random_tokens, _random_positions, _random_is_ready),
    "trained": _Reader(lambda *_: _trained()[0], lambda *_: _trained()[1], lambda *_: True),
}


def _reader(spec: Spec) -> _Reader:
    return _READERS.get(spec.source, _PRETRAINED)


def check_model(source: str) -> None:
    """Raise EmbedvizError if a model's token table is larger than the limit. This downloads no table."""
    if (nbytes := model_bytes(source)) > MAX_TABLE_BYTES:
        layout = models.layout(source)
        raise EmbedvizError(
            "The token table of {model} has {n_rows:,} rows of {n_dims:,} numbers. In memory it takes "
            "{size:,.0f} MiB; the limit of this server is {limit:,.0f}. Take a smaller model. On a machine of your "
            "own with enough memory, set EMBEDVIZ_TABLE_MIB and EMBEDVIZ_TABLES_MIB to {needed} or more.",
            model=models.title(source),
            n_rows=layout.vocab_size,
            n_dims=layout.output_dim,
            size=nbytes / 2**20,
            limit=MAX_TABLE_BYTES / 2**20,
            needed=nbytes // 2**20 + 1,
        )


def model_bytes(source: str) -> int:
    """The bytes that a model's token table takes in memory, as float32."""
    layout = models.layout(source)
    return layout.vocab_size * max(layout.output_dim, layout.sum_dim) * 4


def _check_size(n_rows: int, output_dim: int) -> None:
    nbytes = n_rows * output_dim * 4
    if nbytes > MAX_TABLE_BYTES:
        raise EmbedvizError(
            "A table of {n_rows:,} rows and {output_dim:,} dimensions takes {size:,.0f} MiB; the limit "
            "is {limit:,.0f}. Try output_dim {better}.",
            n_rows=n_rows,
            output_dim=output_dim,
            size=nbytes / 2**20,
            limit=MAX_TABLE_BYTES / 2**20,
            better=MAX_TABLE_BYTES // (4 * n_rows),
        )
