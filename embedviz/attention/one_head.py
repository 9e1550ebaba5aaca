"""One head over one sentence under every scheme: its scores, what a shift does to them, and what distance does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from embedviz import positions
from embedviz.attention.attention import attention_scores
from embedviz.attention.layer import Layer, make_layer, next_seed, one_head
from embedviz.base.checks import check_whole
from embedviz.text.tokens import Tokens
from embedviz.vectors import tables
from embedviz.vectors.embedding import embed_tokens
from embedviz.vectors.spec import Spec

N_HEADS = 8
SHIFTS = (1, 2, 4, 8, 32, 128, 512)
MAX_REACH = 512


@dataclass(frozen=True)
class Sentence:
    """T tokens, at least one, of a Spec, and the head, from 0, that looks at them. The Spec's scheme is not used.

    Raises EmbedvizError, when it is used, for an output_dim that N_HEADS does not divide into even heads.
    """

    tokens: Tokens
    spec: Spec
    head: int

    @cached_property
    def token_embeddings(self) -> np.ndarray:
        """Float32 array of shape (T, D)."""
        return embed_tokens(self.tokens, replace(self.spec, position="none")).token_embeddings

    def layer(self, position: str) -> Layer:
        """The head of the seeded layer for a scheme; query, key and value are the same for all."""
        whole = make_layer(position, self.spec.output_dim, N_HEADS, next_seed(self.spec.seed))
        return one_head(whole, self.head)

    def added(self, position: str, places: np.ndarray) -> np.ndarray:
        """The vectors that an adding scheme has for these positions, (T, D); fewer if its table ends before."""
        return positions.SCHEMES[position].added(places, self.spec.output_dim, self._learned)

    def _learned(self, n_positions: int) -> np.ndarray:
        return tables.position_table(self.tokens.vocab_size, self.spec).weights[:n_positions]


def scores(sentence: Sentence, position: str, first: int = 0) -> np.ndarray:
    """The head's scores under a scheme, float32 (T, T), with the first token at position `first`.

    All NaN if the scheme's table ends before the sentence does.
    """
    vectors, n_tokens = sentence.token_embeddings, len(sentence.tokens)
    places = np.arange(first, first + n_tokens)
    if positions.SCHEMES[position].kind == "add":
        rows = sentence.added(position, places)
        if len(rows) < n_tokens:
            return np.full((n_tokens, n_tokens), np.nan, np.float32)
        vectors = vectors + rows
    return attention_scores(vectors, sentence.layer(position), places)[0]


def all_scores(sentence: Sentence) -> dict[str, np.ndarray]:
    """The scores under every scheme."""
    return {name: scores(sentence, name) for name in positions.SCHEMES}


def shift_test(sentence: Sentence, shifts: Sequence[int] = SHIFTS) -> dict[str, np.ndarray]:
    """The same phrase k tokens later: the largest change of a score, for every scheme, float32 (K,).

    NaN where the scheme has no position any more. What stands in front does not matter: a score is made
    of its two tokens and their positions.
    """
    return {name: _changes(sentence, name, shifts) for name in positions.SCHEMES}


def _changes(sentence: Sentence, position: str, shifts: Sequence[int]) -> np.ndarray:
    here = scores(sentence, position)
    later = (scores(sentence, position, first) for first in shifts)
    return np.array([np.abs(there - here).max() for there in later], np.float32)


@dataclass(frozen=True)
class ByDistance:
    """What four schemes make of a distance alone; steps: key - query from -N to N, whole numbers (2N + 1,).

    rope: a vector of equal numbers and itself, turned apart: their product as a share of that at distance 0.
    alibi: what is added to the scores of every head, (H, 2N + 1).
    buckets: T5's, both ways, whole numbers; formula: the same before it is cut to whole numbers, NaN in the
        half where it is not used; t5: what is added to the head's scores.
    shaw: what is added to the scores of the sentence's first token, in this head.
    All float32 of shape (2N + 1,) if not said otherwise.
    """

    steps: np.ndarray
    rope: np.ndarray
    alibi: np.ndarray
    buckets: np.ndarray
    formula: np.ndarray
    t5: np.ndarray
    shaw: np.ndarray


def by_distance(sentence: Sentence, reach: int) -> ByDistance:
    """Distances up to `reach`, 1 to MAX_REACH, both ways."""
    check_whole("reach", reach, 1, MAX_REACH)
    steps = np.arange(-reach, reach + 1)
    head_dim = sentence.spec.output_dim // N_HEADS
    turned = positions.rope.rotate(np.ones((len(steps), head_dim)), steps)
    shaw, t5 = sentence.layer("shaw"), sentence.layer("t5")
    query = sentence.token_embeddings[0] @ shaw.query  # (d,)
    buckets = positions.t5.bucket(steps)
    return ByDistance(
        steps,
        turned.mean(axis=1).astype(np.float32),
        -positions.alibi.slopes(N_HEADS)[:, None] * np.abs(steps).astype(np.float32),
        buckets,
        _formula(steps),
        t5.own["bias"][buckets, 0],
        (shaw.own["keys"] @ query)[positions.shaw.index(steps)] / np.float32(head_dim**0.5),
    )


def _formula(steps: np.ndarray) -> np.ndarray:
    """T5's logarithm for both ways, from the last exact bucket on."""
    one_way = positions.t5.NUM_BUCKETS // 2
    exact = one_way // 2
    distance = np.where(np.abs(steps) < exact, np.nan, np.abs(steps))
    far = exact + np.log(distance / exact) / np.log(positions.t5.MAX_DISTANCE / exact) * (one_way - exact)
    return (np.minimum(far, one_way) + one_way * (steps > 0)).astype(np.float32)
