"""Where weight tables come from: one object for each source. It is obtained once from the source's name, and passed on.

Random numbers, the small GPT of the page "Training", and every model on the Hub are such sources.
"""

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import cachetools
import numpy as np
import torch
from safetensors import numpy as safetensors

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.models import HubModel, hub_model
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions import learned
from embedviz.text import samples
from embedviz.text.grammar import VOCABULARY
from embedviz.text.visible import visible
from embedviz.vectors import tables
from embedviz.vectors.tables import Sized

FINISHED = "learned"  # the run in `data/training` whose tables are the source "trained"
_AFTER: cachetools.LRUCache = cachetools.LRUCache(256)  # where the generator stood after each token table, 5 kB
_LOCK = threading.Lock()


def reset() -> None:
    """Forget where each generator stood, as a new process does."""
    _AFTER.clear()


class BuiltinSource:
    """A source of this project, which takes sizes from a Spec, and does nothing to vectors but adding positions.

    name: what a Spec calls it, and title: what it is called on the screen. decided: the fields of Spec that it decides,
    with their values. n_rows: the rows of its token table, None if it has as many as the tokenizer has IDs.
    texts: those of its tokens by their rows, None if a tokenizer has them. is_shared: False if its vectors are of one
    visitor, so that no cache may keep them.
    """

    name = title = ""
    texts, is_shared = None, True
    decided: Mapping[str, Any] = MappingProxyType({})
    has_positions, n_rows = True, None

    def is_at_hand(self) -> bool:
        """True, since `decided` answers at once."""
        return True

    def retry(self) -> None:
        """Nothing, since there is nothing that could fail."""

    def layout(self) -> None:
        """None: only a model has tables in a file with names, which a layout describes."""

    def segment(self) -> None:
        """None: there is no vector of a segment."""

    def about_positions(self) -> str:
        """Nothing: there is a table of positions, about which nothing need be said."""
        return ""

    def first_layer(self, sums: np.ndarray) -> np.ndarray:
        """The sums themselves."""
        return sums

    def token_rows(self, ids: Sequence[int], vocab_size: int, spec: Sized) -> np.ndarray:
        """The rows of these IDs, float32 of shape (T, D)."""
        return tables.token_table(vocab_size, spec)[list(ids)]

    def position_rows(self, n_positions: int, vocab_size: int, spec: Sized) -> np.ndarray:
        """The rows of the first positions, float32 of shape (n_positions, D)."""
        return tables.position_table(vocab_size, spec)[:n_positions]


class Random(BuiltinSource):
    """Standard normal numbers, as PyTorch fills a new table: first the token table, then that of positions."""

    name = title = "random"

    @property
    def whose(self) -> str:
        """Whose vectors these are, for the line under the title."""
        return _("Random, untrained vectors: closeness means nothing yet.")

    def key(self, vocab_size: int, spec: Sized) -> tuple[object, ...]:
        """What tells its tables from those of other sources and sizes."""
        return self.name, vocab_size, spec.output_dim, spec.seed

    def token_table(self, vocab_size: int, spec: Sized) -> np.ndarray:
        """A new table, float32 of shape (V, D). Where the generator stood after it is kept for the next table."""
        weights, generator = _drawn(vocab_size, spec)
        with _LOCK:
            _AFTER[self.key(vocab_size, spec)] = generator.get_state()
        return weights.numpy()

    def position_table(self, vocab_size: int, spec: Sized) -> np.ndarray:
        """The table that is made after the token table, float32 of shape (L, D)."""
        with _LOCK:
            state = _AFTER.get(self.key(vocab_size, spec))
        if state is None:
            _weights, generator = _drawn(vocab_size, spec)
        else:
            generator = torch.Generator()
            generator.set_state(state)
        return learned.table(spec.context_length, spec.output_dim, generator).numpy()

    def first_positions(self, n_positions: int, output_dim: int, seed: int) -> np.ndarray:
        """The first rows of a table of positions that is made before any other, float32 (n_positions, D)."""
        return learned.table(n_positions, output_dim, torch.Generator().manual_seed(seed)).numpy()

    def is_near(self, _ids: Sequence[int], vocab_size: int, spec: Sized) -> bool:
        """True if the token table has been made."""
        return tables.is_made(vocab_size, spec)


def _drawn(vocab_size: int, spec: Sized) -> tuple[torch.Tensor, torch.Generator]:
    """A new token table, and the generator that has filled it: our own, since all threads share the global one."""
    generator = torch.Generator().manual_seed(spec.seed)
    return torch.empty(vocab_size, spec.output_dim).normal_(generator=generator), generator


class Trained(BuiltinSource):
    """The two tables of the small GPT on the page "Training", from its finished run in `data/training`."""

    name = title = "trained"
    decided = MappingProxyType({"tokenizer": "words", "vocabulary": VOCABULARY, "output_dim": 32, "context_length": 11})

    @property
    def whose(self) -> str:
        """Whose vectors these are, for the line under the title."""
        return _("The trained vectors of a small GPT.")

    def key(self, *_sizes: object) -> tuple[str]:
        """What tells its tables from those of other sources."""
        return (self.name,)

    def token_table(self, *_sizes: object) -> np.ndarray:
        """The token table, float32 of shape (V, D)."""
        return _trained()["token_embedding.weight"]

    def position_table(self, *_sizes: object) -> np.ndarray:
        """The table of positions, float32 of shape (L, D)."""
        return _trained()["position_embedding.weight"]

    def first_positions(self, n_positions: int, *_sizes: object) -> np.ndarray:
        """The first rows of its table of positions, or all if it has fewer, float32."""
        return self.position_table()[:n_positions]

    def is_near(self, *_sizes: object) -> bool:
        """True, since the tables are small."""
        return True


@cache
def _trained() -> dict[str, np.ndarray]:
    return {name: read_only(each) for name, each in safetensors.load(samples.training(FINISHED)).items()}


Source = Random | Trained | HubModel
RANDOM, TRAINED = Random(), Trained()
OWN: Mapping[str, Random | Trained] = MappingProxyType({each.name: each for each in (RANDOM, TRAINED)})
# The names of those that are offered. Any other model of a known family can be named besides.
NAMES = (*OWN, *CHECKPOINTS)


def source_of(name: object) -> Source:
    """The source of this name, or of one's own vectors these themselves.

    Raises EmbedvizError if there is none, or if it is not allowed here.
    """
    if isinstance(name, BuiltinSource) and not name.is_shared:
        return cast("Source", name)  # which has all that a source has
    if isinstance(name, str) and "/" in name:
        return hub_model(name)
    check_choice("source", name, tuple(each for each in NAMES if "/" not in each))
    return OWN.get(str(name)) or hub_model(str(name))


def without_row(token: str, id_: int, n_rows: int, advice: str) -> EmbedvizError:
    """The error that says that a token of the tokenizer lies beyond the model's table, and what to do then."""
    return EmbedvizError(
        "{token} (ID {id}) has no row: the table ends at {last}. {advice}",
        token=visible(token),
        id=id_,
        last=n_rows - 1,
        advice=advice,
    )
