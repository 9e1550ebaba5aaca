"""The weight tables of a Spec, which are made once, shared by every visitor, read-only, and bounded in bytes."""

import threading
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

import cachetools
import numpy as np

from embedviz.base import metrics
from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.models import HubModel

BUDGET_BYTES = configured().tables_mib * 2**20  # for all tables; the table used longest ago is removed first
MAX_TABLE_BYTES = min(configured().table_mib * 2**20, BUDGET_BYTES)  # by default 640 dims of o200k_base


class Sized(Protocol):
    """What tables need to know of a Spec, which stands above them: its sizes, its seed, and the source it names."""

    @property
    def output_dim(self) -> int:
        """D."""
        ...

    @property
    def context_length(self) -> int:
        """L."""
        ...

    @property
    def seed(self) -> int:
        """Of PyTorch's generator."""
        ...

    @property
    def origin(self) -> Any:
        """The source, an object of one of the classes of `sources.py`, which call the functions here."""


kept_tables = cachetools.LRUCache[Any, np.ndarray](maxsize=BUDGET_BYTES, getsizeof=lambda table: table.nbytes)
metrics.table_bytes.set_function(lambda: kept_tables.currsize)


def reset() -> None:
    """Forget all tables, as a new process does."""
    kept_tables.clear()


def token_table(vocab_size: int, spec: Sized) -> np.ndarray:
    """The token embedding table, read-only float32 of shape (V, D).

    Of the source random it equals `torch.manual_seed(seed); nn.Embedding(vocab_size, output_dim)` bit for
    bit. Raises EmbedvizError if it would take more than MAX_TABLE_BYTES.
    """
    if spec.origin.layout():
        check_model(spec.origin)
    else:
        _check_size(vocab_size, spec.output_dim)
    return _table("token_table", vocab_size, spec)


def position_table(vocab_size: int, spec: Sized) -> np.ndarray:
    """The learned positional table, (L, D): that of the `nn.Embedding` made after the token table."""
    _check_size(spec.context_length, spec.output_dim)
    return _table("position_table", vocab_size, spec)


def token_rows(ids: Sequence[int], vocab_size: int, spec: Sized) -> np.ndarray:
    """The rows of these IDs, (T, D), writeable. Raises as `token_table`, and Unavailable if none can be read."""
    if not len(ids):
        return np.empty((0, spec.output_dim), np.float32)
    return spec.origin.token_rows(ids, vocab_size, spec)


def position_rows(n_positions: int, vocab_size: int, spec: Sized) -> np.ndarray:
    """The first rows of the learned positional table, shape (n_positions, D). Raises as `token_rows` does."""
    if not n_positions:
        return np.empty((0, spec.output_dim), np.float32)
    return spec.origin.position_rows(n_positions, vocab_size, spec)


def is_ready(vocab_size: int, spec: Sized, ids: Sequence[int] = ()) -> bool:
    """True if the rows of these IDs are there. Otherwise it takes a second to build a large table or to fetch rows."""
    return spec.origin.is_near(ids, vocab_size, spec)


def is_made(vocab_size: int, spec: Sized) -> bool:
    """True if the whole token table is in memory."""
    return _key("token_table", vocab_size, spec) in kept_tables


def _table(kind: str, vocab_size: int, spec: Sized) -> np.ndarray:
    """A table by the name of the source's method that makes it; no cache may keep those of one visitor."""
    return _built_table(kind, vocab_size, spec) if spec.origin.is_shared else getattr(spec.origin, kind)()


def _key(kind: str, vocab_size: int, spec: Sized) -> Hashable:
    return kind, *spec.origin.key(vocab_size, spec), spec.context_length if kind == "position_table" else None


# A table is built once even if it is asked for twice at the same time.
@cachetools.cached(kept_tables, _key, condition=threading.Condition())
def _built_table(kind: str, vocab_size: int, spec: Sized) -> np.ndarray:
    metrics.tables_built.inc()
    return read_only(getattr(spec.origin, kind)(vocab_size, spec))


def check_model(model: HubModel) -> None:
    """Raise EmbedvizError if a model's token table is larger than the limit. This downloads no table."""
    if (nbytes := model.table_bytes) > MAX_TABLE_BYTES:
        raise EmbedvizError(
            "The token table of {model} has {n_rows:,} rows of {n_dims:,} numbers. In memory it takes "
            "{size:,.0f} MiB; the limit of this server is {limit:,.0f}. Take a smaller model. On a machine of your "
            "own with enough memory, set EMBEDVIZ_TABLE_MIB and EMBEDVIZ_TABLES_MIB to {needed} or more.",
            model=model.title,
            n_rows=model.n_rows,
            n_dims=model.layout().output_dim,
            size=nbytes / 2**20,
            limit=MAX_TABLE_BYTES / 2**20,
            needed=nbytes // 2**20 + 1,
        )


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
