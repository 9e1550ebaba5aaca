"""One head over one sentence under every scheme: its scores, and how they change when it stands later."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from embedviz import positions
from embedviz.attention.layer import Layer, make_layer, next_seed, one_head
from embedviz.attention.scores import attention_scores, queries_and_keys, scored
from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.text.tokens import Tokens
from embedviz.vectors import tables
from embedviz.vectors.embedding import embed_tokens
from embedviz.vectors.spec import Spec

N_HEADS = 8
SHIFTS = (1, 2, 4, 8, 32, 128, 512)


def check_heads(output_dim: int) -> None:
    """Raise EmbedvizError unless the dimensions make N_HEADS heads of pairs, which RoPE needs."""
    step = 2 * N_HEADS
    if output_dim % step:
        raise EmbedvizError(
            "{output_dim} dimensions do not make {n_heads} heads of an even size, as RoPE needs them. Take a "
            "multiple of {step}, such as {better}.",
            output_dim=output_dim,
            n_heads=N_HEADS,
            step=step,
            better=max(step, output_dim // step * step),
        )


@dataclass(frozen=True)
class Sentence:
    """T tokens of a Spec, at least one, and the head, counted from 0, that is applied to them.

    The Spec's own scheme is not used. The first use of the sentence raises EmbedvizError if N_HEADS does not divide
    output_dim into heads of an even size.
    """

    tokens: Tokens
    spec: Spec
    head: int

    @cached_property
    def token_embeddings(self) -> np.ndarray:
        """The token vectors, a float32 array of shape (T, D)."""
        position = self.spec.origin.decided.get("position", "none")  # a model without a table takes no other
        return embed_tokens(self.tokens, replace(self.spec, position=position)).token_embeddings

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes that can be shown: "learned" is left out if the source has no learned table of positions."""
        return tuple(name for name in positions.SCHEMES if name != "learned" or self.spec.origin.has_positions)

    def layer(self, position: str) -> Layer:
        """The head of the seeded layer of a scheme. Query, key and value matrices are the same for all schemes."""
        whole = make_layer(position, self.spec.output_dim, N_HEADS, next_seed(self.spec.seed))
        return one_head(whole, self.head)

    def added(self, position: str, places: np.ndarray) -> np.ndarray:
        """The vectors that a scheme adds at these positions, (T, D), or fewer rows if its table ends before."""
        added = positions.SCHEMES[position].added
        if added is None:
            raise ValueError(f"{position} adds no vectors")
        return added(places, self.spec.output_dim, self._learned)

    @cached_property
    def queries_and_keys(self) -> tuple[np.ndarray, np.ndarray]:
        """The head's queries and keys of the token vectors alone, (1, T, d) each, which most schemes share."""
        return queries_and_keys(self.token_embeddings, self.layer("none"))

    @cached_property
    def computed(self) -> dict[tuple[str, int], np.ndarray]:
        """The scores that `scores` has computed, by the scheme and the first position."""
        return {}

    def _learned(self, n_positions: int) -> np.ndarray:
        return tables.position_table(self.tokens.vocab_size, self.spec)[:n_positions]


def scores(sentence: Sentence, position: str, first: int = 0) -> np.ndarray:
    """The head's scores under a scheme, read-only float32 (T, T), with the first token at position `first`.

    All scores are NaN if the scheme's table ends before the sentence does. They are computed once for each sentence.
    """
    if (position, first) not in sentence.computed:
        sentence.computed[position, first] = read_only(_scores(sentence, position, first))
    return sentence.computed[position, first]


def _scores(sentence: Sentence, position: str, first: int) -> np.ndarray:
    n_tokens, layer = len(sentence.tokens), sentence.layer(position)
    places = np.arange(first, first + n_tokens)
    if positions.SCHEMES[position].kind != "add":
        return scored(*sentence.queries_and_keys, layer, places)[2][0]
    rows = sentence.added(position, places)
    if len(rows) < n_tokens:
        return np.full((n_tokens, n_tokens), np.nan, np.float32)
    return attention_scores(sentence.token_embeddings + rows, layer, places)[0]


def shift_test(sentence: Sentence, shifts: Sequence[int] = SHIFTS) -> dict[str, np.ndarray]:
    """The largest change of a score when the same phrase stands k tokens later, for each of its schemes, float32 (K,).

    It is NaN where the scheme has no such position. The tokens before the phrase do not matter, because a score
    depends only on its two tokens and their positions.
    """
    return {name: _changes(sentence, name, shifts) for name in sentence.schemes}


def _changes(sentence: Sentence, position: str, shifts: Sequence[int]) -> np.ndarray:
    here = scores(sentence, position)
    later = (scores(sentence, position, first) for first in shifts)
    return np.array([np.abs(there - here).max() for there in later], np.float32)
