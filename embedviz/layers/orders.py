"""What a model makes of many orders of one sentence: points, what a causal mask lets in, and how far others are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.text.tokens import Tokens
from embedviz.vectors.forward import Forward
from embedviz.vectors.orders import SentenceMap, sentence_map


@dataclass(frozen=True)
class Unrelated:
    """An unrelated sentence. before, after: its mean distance from the others without positions and with them."""

    tokens: Tokens
    before: float
    after: float


@dataclass(frozen=True)
class Masked:
    """What a causal mask lets in without positions, in sentences of n_last_words different last words.

    n_entering: how many points they are when they enter the first layer. n_last: how many vectors their last token has
    after that layer.
    """

    n_entering: int
    n_last: int
    n_last_words: int


def spread_after(before: Sequence[Forward], after: Sequence[Forward], layer: int | None) -> SentenceMap:
    """The Spread of N sentences that were read without positions and with them, after a layer.

    layer: None for the one vector of each sentence.
    """
    ids = [[0] if layer is None else each.tokens.ids for each in before]
    return sentence_map(ids, *([_vectors(each, layer) for each in side] for side in (before, after)))


def masked(read: Sequence[Forward]) -> Masked:
    """What the mask lets in, seen in sentences that a causal model has read without positions."""
    last = [each.hidden_states[1, -1:] for each in read]  # (1, D) each
    return Masked(
        n_entering=spread_after(read, read, 0).n_before,
        n_last=sentence_map([[0]] * len(read), last, last).n_before,
        n_last_words=len({each.tokens.ids[-1] for each in read}),
    )


def unrelated(
    before: Sequence[Forward], after: Sequence[Forward], other: tuple[Forward, Forward], layer: int | None
) -> Unrelated:
    """How far an unrelated sentence is from these. other: it, without positions and with them."""
    found = spread_after([*before, other[0]], [*after, other[1]], layer)
    return Unrelated(other[0].tokens, *(float(each[-1, :-1].mean()) for each in (found.before, found.after)))


def _vectors(read: Forward, layer: int | None) -> np.ndarray:
    """Those of all tokens after a layer, (T, D), or the sentence's one vector, (1, D)."""
    return read.sentence[None] if layer is None else read.hidden_states[layer]
