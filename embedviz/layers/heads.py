"""Which heads of a real model look at a place rather than at a word, such as the token before."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cachetools
import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.i18n import N_
from embedviz.layers import model_queue
from embedviz.layers.head_patterns import MOSTLY, even
from embedviz.layers.windows import runs
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights

OFFSETS = (-3, -2, -1, 0, 1, 2, 3)
FIRST = len(OFFSETS)  # the place of the first token, after those of the offsets
# What a head is called that looks there, by its place.
NAMES: Mapping[int, str] = MappingProxyType(
    {2: N_("previous token"), 3: N_("itself"), 4: N_("next token"), FIRST: N_("first token")}
)
NEIGHBOURS = (OFFSETS.index(-1), OFFSETS.index(1))  # the places of the token before and of the one after


@dataclass(frozen=True)
class Heads:
    """The mean weight that each head of a model gives to places, by the names of `windows.runs`.

    weights: float32, read-only, (n_layers, H, 8) each: to the tokens 3, 2 and 1 before, to the token itself, to those
    1, 2 and 3 after, and last to the first token of all. even: (8,), the same of a head that sees all tokens alike.
    length: how many tokens they saw at a time.
    """

    weights: Mapping[str, np.ndarray]
    even: np.ndarray
    length: int

    @property
    def least(self) -> np.ndarray:
        """The least weight on text, on random tokens and with shifted positions, (n_layers, H, 8)."""
        return np.min([each for name, each in self.weights.items() if name != "off"], axis=0)

    def all_at(self, place: int, *, is_on: bool) -> np.ndarray:
        """The weight of each head on a place, (n_layers, H): the least of what `name` asks for, or that of "off"."""
        return (self.least if is_on else self.weights["off"])[..., place]

    def strongest(self, offset: int) -> tuple[int, int]:
        """The layer and the head, from 0, that look most at the token so far away, on any text."""
        layer, head = np.unravel_index(self.least[..., OFFSETS.index(offset)].argmax(), self.least.shape[:2])
        return int(layer), int(head)

    def name(self, layer: int, head: int, *, is_on: bool = True) -> str | None:
        """What the head is called, a marked text; None unless all runs agree on a place that has a name.

        is_on: False if the run without positions has to agree too.
        """
        least = self.least if is_on else np.minimum(self.least, self.weights["off"])
        found = [NAMES[place] for place in NAMES if least[layer, head, place] > MOSTLY]
        return found[0] if found else None

    def names(self, *, is_on: bool) -> list[list[str | None]]:
        """What each head of each layer is called."""
        n_layers, n_heads, _n_places = self.least.shape
        return [[self.name(layer, head, is_on=is_on) for head in range(n_heads)] for layer in range(n_layers)]


def heads(source: str) -> Heads:
    """Look at all heads of a model, once. Raises EmbedvizError as `forward` does."""
    return _heads(model_queue.find(source))


@cachetools.cached(cachetools.LRUCache(16), condition=Waiting())
def _heads(whole: FullWeights) -> Heads:
    attentions = {name: ran.attentions for name, ran in runs(whole)}  # (n_layers, W, H, T, T) each
    is_causal = hub_model(whole.name).layout().kind == "causal"
    length = attentions["text"].shape[-1]
    alike = _by_place(even(length, is_causal=is_causal)[None])[0, 0]
    weights = {name: read_only(_by_place(each)) for name, each in attentions.items()}
    return Heads(MappingProxyType(weights), read_only(alike), length)


def _by_place(attentions: np.ndarray) -> np.ndarray:
    """Mean weights, float32 (n_layers, H, 8), from (n_layers, W, H, T, T)."""
    at = [np.diagonal(attentions, each, -2, -1).mean(axis=(1, -1)) for each in OFFSETS]
    first = attentions[..., 1:, 0].mean(axis=(1, -1))  # the first token itself sees nothing else in a causal model
    return np.stack([*at, first], axis=-1).astype(np.float32)
