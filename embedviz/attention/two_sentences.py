"""One attention layer over two sentences: which of their tokens come out the same."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from embedviz.attention.attention import Attention, attend
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

    a: Attention
    b: Attention
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
    return AttentionCases(
        _attended(comparison, nothing, False),
        _attended(comparison, chosen, causal),
        _attended(comparison, nothing, True),
    )


def _attended(comparison: Comparison, layer: Layer, causal: bool) -> Attended:
    a, b = (_over(each, layer, causal, np.float32) for each in (comparison.a, comparison.b))
    same = _same(comparison, layer, causal, (a, b))
    return Attended(a, b, comparison.shared, same, pairwise_distances(a.outputs, b.outputs))


def _same(comparison: Comparison, layer: Layer, causal: bool, attentions: tuple[Attention, Attention]) -> np.ndarray:
    """Which outputs are the same. Float64 outputs are computed only if float32 leaves a doubt."""
    a, b = (each.outputs for each in attentions)
    largest = max(np.abs(a).max(), np.abs(b).max())
    near = pairwise_distances(a, b, "chebyshev") <= _FAR * largest
    if not (near & comparison.shared).any():
        return near & comparison.shared
    a, b = (_over(each, layer, causal, np.float64).outputs for each in (comparison.a, comparison.b))
    return pairwise_distances(a, b, "chebyshev") <= _SAME * largest


def _over(embedded: Embedded, layer: Layer, causal: bool, dtype: type) -> Attention:
    adds = layer.position == embedded.spec.position and SCHEMES[layer.position].kind == "add"
    added = embedded.added if adds else None
    return attend(embedded.token_embeddings, layer, added=added, causal=causal, dtype=dtype)
