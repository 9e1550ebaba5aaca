"""What adding a position does to a token vector, and what concatenating would cost."""

from dataclasses import dataclass, replace

import numpy as np

from embedviz.vectors import tables
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.neighbours import Neighbours, nearest

# Attention's four matrices and a hidden layer of four times the width, as in GPT-2. Biases are not counted.
_MATRICES = 12


@dataclass(frozen=True)
class Added:
    """What adding a position does to each of T tokens, as float64 arrays of shape (T,).

    token, position, total: lengths of the three vectors. between: the angle between token and position in degrees.
        angle: the angle between token and sum in degrees.
    share: the token's share of the sum, token . sum / sum . sum; the rest is the position's share.
    """

    token: np.ndarray
    position: np.ndarray
    total: np.ndarray
    between: np.ndarray
    angle: np.ndarray
    share: np.ndarray


def added(embedded: Embedded) -> Added:
    """Measure every token of a sentence. A measure is 0 where a vector has length 0."""
    parts = (embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings)
    tokens, places, sums = (part.astype(np.float64) for part in parts)
    token, place, total = (np.linalg.norm(part, axis=1) for part in (tokens, places, sums))
    inner = (tokens * sums).sum(axis=1)
    share = np.divide(inner, total**2, out=np.zeros_like(inner), where=total > 0)
    between = _angle((tokens * places).sum(axis=1), token * place)
    return Added(token, place, total, between, _angle(inner, token * total), share)


def _angle(inner: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Angles in degrees, from the inner products of pairs of vectors and the products of their lengths."""
    cosine = np.divide(inner, lengths, out=np.ones_like(inner), where=lengths > 0)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def nearest_tokens(embedded: Embedded, n: int, k: int = 5) -> tuple[Neighbours, Neighbours]:
    """The k tokens nearest to token n of a sentence by Euclidean distance, before its position is added and after.

    The token vectors are scaled as the Spec says, so before adding the nearest is the token itself.
    """
    spec = embedded.spec
    weights = tables.token_table(embedded.tokens.vocab_size, spec)
    scale = np.float32(np.sqrt(spec.output_dim) if spec.scale_embeddings else 1.0)
    vectors = (embedded.token_embeddings[n], embedded.input_embeddings[n])
    found = (nearest(vector / scale, weights, k, "euclidean") for vector in vectors)
    return tuple(replace(each, values=each.values * float(scale)) for each in found)


@dataclass(frozen=True)
class BlockCost:
    """The cost of a block over vectors of some width: its weights, each of which is one multiplication a token."""

    width: int
    weights: int


def add_or_concatenate(output_dim: int, position_dim: int) -> tuple[BlockCost, BlockCost]:
    """A transformer block when positions are added, and when they are appended as position_dim more numbers."""
    widths = (output_dim, output_dim + position_dim)
    return tuple(BlockCost(width, _MATRICES * width**2) for width in widths)
