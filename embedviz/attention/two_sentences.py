"""One attention layer over two sentences: which of their tokens come out the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from embedviz.attention.attention import Attention, Projected, Weighted, attend, weighted, with_causal_mask
from embedviz.attention.layer import Layer, layer_for
from embedviz.base.arrays import pairwise_distances
from embedviz.positions import SCHEMES
from embedviz.vectors.comparison import Comparison, typical
from embedviz.vectors.embedding import Embedded

# Two thresholds, as shares of the largest output. Below the first, a float64 difference counts as no difference; below
# the second, a float32 difference may be only rounding, so float64 decides. Rounding in float64 stays a hundred times
# below the first threshold, and rounding in float32 far below the second.
_SAME, _FAR = 1e-9, 0.25


@dataclass(frozen=True)
class Attended:
    """A layer over sentences A and B.

    a, b: the layer over each of them, float32.
    shared: bool array of shape (T_A, T_B), True where token i of A and token j of B have one ID.
    same: bool array of shape (T_A, T_B). For pairs that share an ID, it is True where their outputs are the same
        except for rounding, as float64 shows.
    distances: Euclidean distances of the outputs in float32, over all D dimensions, shape (T_A, T_B).
    """

    a: Attention | Weighted
    b: Attention | Weighted
    shared: np.ndarray
    same: np.ndarray
    distances: np.ndarray

    @property
    def n_shared(self) -> int:
        """The number of pairs (i in A, j in B) that share an ID."""
        return int(self.shared.sum())

    @property
    def n_same(self) -> int:
        """The number of pairs that share an ID and whose outputs are the same except for rounding."""
        return int((self.shared & self.same).sum())

    @property
    def n_copied(self) -> int:
        """How many tokens of A have the output of a token of B with the same ID, counted as copies of vectors are."""
        return int((self.shared & self.same).any(axis=1).sum())

    @cached_property
    def largest_difference(self) -> float:
        """The largest difference of outputs in any dimension of any pair that shares an ID, from float32 arrays."""
        apart = pairwise_distances(self.a.outputs, self.b.outputs, "chebyshev")
        return float(apart[self.shared].max(initial=0.0))

    @property
    def differing(self) -> np.ndarray:
        """The distances of the pairs that share an ID and differ, shape (N,)."""
        return self.distances[self.shared & ~self.same]

    @property
    def unrelated(self) -> float | None:
        """How far apart the outputs of a token of A and a token of B with different IDs are, for comparison.

        This is the root mean square of their distances. It is None if there are no such tokens.
        """
        return typical(self.distances, ~self.shared)


@dataclass(frozen=True)
class AttentionCases:
    """Attention three times with the same vectors and matrices.

    plain: no positions and no mask. chosen: the reader's scheme and mask. masked: no positions, but a causal mask.
    """

    plain: Attended
    chosen: Attended
    masked: Attended


def attention_cases(comparison: Comparison, n_heads: int, causal: bool) -> AttentionCases:
    """Attention over both sentences of a comparison, which must not be empty.

    Raises EmbedvizError for heads that do not fit, and for too many tokens.
    """
    nothing = layer_for(replace(comparison.a.spec, position="none"), n_heads)
    chosen = layer_for(comparison.a.spec, n_heads)

    sentences = comparison.a, comparison.b

    @cache
    def plain(n: int, dtype: type) -> Attention:
        return _over(sentences[n], nothing, False, dtype)

    return AttentionCases(
        _attended(comparison, plain),
        _attended(comparison, lambda n, dtype: _over(sentences[n], chosen, causal, dtype)),
        _attended(comparison, lambda n, dtype: with_causal_mask(plain(n, dtype))),
    )


def cases_of_model(
    comparison: Comparison, plain: Sequence[Projected], chosen: Sequence[Projected], causal: bool
) -> AttentionCases:
    """The same of the queries, keys and values that a model makes of A and B without positions and as it was trained.

    Tokens with one ID, and with positions those at one place, must have the same bits in A and B.
    """

    def case(both: Sequence[Projected], causal: bool) -> Attended:
        return _attended(comparison, lambda n, dtype: weighted(both[n], causal=causal, dtype=dtype))

    return AttentionCases(case(plain, False), case(chosen, causal), case(plain, True))


def _attended(comparison: Comparison, over: Callable[[int, type], Attention | Weighted]) -> Attended:
    """Both sentences. over: the layer over A, 0, or B, 1, in a dtype."""
    a, b = (over(n, np.float32) for n in (0, 1))
    distances = pairwise_distances(a.outputs, b.outputs)
    return Attended(a, b, comparison.shared, _same(comparison, over, (a, b), distances), distances)


def _same(
    comparison: Comparison,
    over: Callable[[int, type], Attention | Weighted],
    attentions: tuple[Attention | Weighted, Attention | Weighted],
    distances: np.ndarray,
) -> np.ndarray:
    """Which outputs are the same. Float64 outputs are computed only if float32 leaves a doubt."""
    largest = max(np.abs(each.outputs).max() for each in attentions)
    near = distances <= _FAR * largest  # no number differs by more than all of them together
    if not (near & comparison.shared).any():
        return near & comparison.shared
    a, b = (over(n, np.float64).outputs for n in (0, 1))
    return pairwise_distances(a, b, "chebyshev") <= _SAME * largest


def _over(embedded: Embedded, layer: Layer, causal: bool, dtype: type) -> Attention:
    adds = layer.position == embedded.spec.position and SCHEMES[layer.position].kind == "add"
    added = embedded.added if adds else None
    return attend(embedded.token_embeddings, layer, added=added, causal=causal, dtype=dtype)
