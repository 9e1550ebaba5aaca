"""A model on the Hugging Face Hub or on this machine as a source of vectors: one object for all that is known of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.models.checkpoints import Checkpoint, checkpoint
from embedviz.models.kept.memory import Memory
from embedviz.models.row_reader import RowReader

POSITIONS_AT_ONCE = 16  # read ahead, since a sentence grows while a visitor types
_MEMORY = Memory()


def reset() -> None:
    """Forget all models and their rows, as a new process does."""
    hub_model.cache_clear()
    _MEMORY.clear()


class HubModel(RowReader):
    """The vectors of one model. Only the rows that the sentences need are read.

    name: what a Spec calls it. title: what it is called on the screen. repo: its address on the Hub.

    Its methods raise Unavailable if what they need cannot be had now, and EmbedvizError for a model whose family is not
    known. Sources of this project have most of the same methods, see `vectors/sources.py`. Those need sizes, which a
    model has of its own.
    """

    texts, is_shared = None, True

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint, _MEMORY)
        self.name, self.title, self.repo = checkpoint.name, checkpoint.title, checkpoint.repo

    @property
    def whose(self) -> str:
        """Whose vectors these are, for the line under the title."""
        return _("The trained vectors of {model}.", model=self.title)

    @property
    def decided(self) -> Mapping[str, Any]:
        """The fields of Spec that the model decides, with their values."""
        layout = self.layout()
        fixed = {"tokenizer": self._checkpoint.tokenizer, "output_dim": layout.sum_dim}
        return fixed | ({"context_length": layout.context_length} if layout.position else {"position": layout.scheme})

    @property
    def has_positions(self) -> bool:
        """True if the model has a table of positions."""
        return self.layout().position is not None

    @property
    def n_rows(self) -> int:
        """The rows of the token table."""
        return self.layout().vocab_size

    @property
    def table_bytes(self) -> int:
        """The bytes that the token table takes in memory, as float32."""
        layout = self.layout()
        return layout.vocab_size * max(layout.output_dim, layout.sum_dim) * 4

    def about_positions(self) -> str:
        """What stands for positions in the model, in whole sentences."""
        return self.layout().about(self.title)

    def key(self, *_sizes: object) -> tuple[str, ...]:
        """What tells its tables from those of other sources."""
        return (self.name,)

    def token_rows(self, ids: Sequence[int], *_sizes: object) -> np.ndarray:
        """The token vectors of these IDs as positions are added to them, float32 of shape (T, D).

        They are rows of the token table. Some families multiply them by a number, and a few by a matrix.
        """
        return self._token_part(self.rows(self.layout().token, ids))

    def token_table(self, *_sizes: object) -> np.ndarray:
        """All token vectors, as `token_rows` has them, float32 of shape (V, D), once `download` has brought them.

        Raises NotDownloaded before that.
        """
        return self._token_part(self.whole(self.layout().token))

    def position_rows(self, n_positions: int, *_sizes: object) -> np.ndarray:
        """The rows of the positional table for the first positions, float32 of shape (n_positions, D).

        There are fewer rows if the table has fewer. Raises EmbedvizError if the model has no such table.
        """
        if not self.has_positions:
            raise EmbedvizError(self.about_positions())
        return self.rows(str(self.layout().position), self._positions(n_positions))[:n_positions]

    first_positions = position_rows

    def position_table(self, *_sizes: object) -> np.ndarray:
        """The whole positional table, float32 of shape (L, D). Raises as `position_rows` does."""
        return self.position_rows(self.layout().context_length or 0)

    def position_biases(self) -> np.ndarray:
        """T5's learned biases, which its encoder adds to scores: float32 (buckets, H), a row a bucket of distances.

        Raises EmbedvizError if the model has no such table.
        """
        if (name := self.layout().bias) is None:
            raise EmbedvizError(self.about_positions())
        return self._tensor(name)

    def segment(self) -> np.ndarray | None:
        """The vector that is added to every token for being of the first segment, shape (D,); None in most families."""
        name = self.layout().segment
        return self._tensor(name)[0] if name else None

    def first_layer(self, sums: np.ndarray) -> np.ndarray:
        """What enters the first layer, float32 of shape (T, H): the sums (T, D), normed where the family does so."""
        return self.layout().after_sum(sums, self._small())

    def is_near(self, ids: Sequence[int], *_sizes: object) -> bool:
        """True if the rows of so many tokens and positions are there at once, or a failure is."""
        layout = self.layout()
        if not self.has_near(layout.token, ids):
            return False
        return layout.position is None or self.has_near(layout.position, self._positions(len(ids)))

    def _positions(self, n: int) -> range:
        layout = self.layout()
        n_read = min(-(-n // POSITIONS_AT_ONCE) * POSITIONS_AT_ONCE, layout.context_length or 0)
        return range(layout.offset, layout.offset + n_read)

    def _token_part(self, rows: np.ndarray) -> np.ndarray:
        layout = self.layout()
        if layout.factor == 1 and not layout.projection:
            return rows
        tensor = self.tensor(layout.token)
        return layout.token_part(rows, self._small(), tensor.dtype if tensor else "F32")

    def _small(self) -> dict[str, np.ndarray]:
        return {table: self._tensor(table) for table in self.layout().small}

    def _tensor(self, table: str) -> np.ndarray:
        shape = self.layout().shapes[table]
        return self.rows(table, range(shape[0] if len(shape) == 2 else 1)).reshape(shape)


@lru_cache(maxsize=64)
def hub_model(name: str) -> HubModel:
    """The model of this name. Raises EmbedvizError if it is no name, or if this server does not allow it."""
    return HubModel(checkpoint(name))
