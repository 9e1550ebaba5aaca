"""What adding a position does to a token vector, and what concatenating would cost."""

from dataclasses import dataclass, replace

import numpy as np

from embedviz.vectors import tables
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.neighbours import Neighbours, nearest

# Attention's four matrices and a hidden layer of four times the width, as in GPT-2; biases not counted.
_MATRICES = 12


@dataclass(frozen=True)
class Added:
    """For each of T tokens, float64 arrays of shape (T,).

    token, position, total: lengths of the three vectors. angle: between token and sum, degrees.
    share: how much of the sum is the token, token . sum / sum . sum; the position has the rest.
    """

    token: np.ndarray
    position: np.ndarray
    total: np.ndarray
    angle: np.ndarray
    share: np.ndarray


def added(embedded: Embedded) -> Added:
    """Measure every token of a sentence; 0 where a vector has no length."""
    parts = (embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings)
    tokens, places, sums = (part.astype(np.float64) for part in parts)
    token, place, total = (np.linalg.norm(part, axis=1) for part in (tokens, places, sums))
    inner = (tokens * sums).sum(axis=1)
    cosine = np.divide(inner, token * total, out=np.ones_like(inner), where=token * total > 0)
    share = np.divide(inner, total**2, out=np.zeros_like(inner), where=total > 0)
    return Added(token, place, total, np.degrees(np.arccos(np.clip(cosine, -1, 1))), share)


def nearest_tokens(embedded: Embedded, n: int, k: int = 5) -> tuple[Neighbours, Neighbours]:
    """The k tokens nearest to token n of a sentence by Euclidean distance, before its position is added and after.

    The token vectors are scaled as the Spec says, so before adding the nearest is the token itself.
    """
    spec = embedded.spec
    weights = tables.token_table(embedded.tokens.vocab_size, spec).weights
    scale = np.float32(np.sqrt(spec.output_dim) if spec.scale_embeddings else 1.0)
    vectors = (embedded.token_embeddings[n], embedded.input_embeddings[n])
    found = (nearest(vector / scale, weights, k, "euclidean") for vector in vectors)
    return tuple(replace(each, values=each.values * float(scale)) for each in found)


@dataclass(frozen=True)
class BlockCost:
    """Of one block over vectors of a width: its weights, each of which is one multiplication for each token."""

    width: int
    weights: int


def add_or_concatenate(output_dim: int, position_dim: int) -> tuple[BlockCost, BlockCost]:
    """A transformer block when positions are added, and when they are appended as position_dim more numbers."""
    widths = (output_dim, output_dim + position_dim)
    return tuple(BlockCost(width, _MATRICES * width**2) for width in widths)
