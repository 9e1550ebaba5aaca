"""What adding a position does to a token vector, and what concatenating would cost."""

from dataclasses import dataclass

import cachetools
import numpy as np

from embedviz import tables
from embedviz.embedding import Embedded
from embedviz.neighbours import exact
from embedviz.spec import Spec

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


@dataclass(frozen=True)
class Near:
    """The k tokens whose vectors are nearest, nearest first: IDs, int64 (k,), and Euclidean distances, float64 (k,)."""

    ids: np.ndarray
    distances: np.ndarray


def nearest_tokens(embedded: Embedded, n: int, k: int = 5) -> tuple[Near, Near]:
    """The tokens nearest to token n of a sentence, before its position is added and after.

    The token vectors are scaled as the Spec says, so before adding the nearest is the token itself.
    """
    spec = embedded.spec
    weights = tables.token_table(embedded.tokens.vocab_size, spec).weights
    scale = np.float32(np.sqrt(spec.output_dim) if spec.scale_embeddings else 1.0)
    vectors = np.stack([embedded.token_embeddings[n], embedded.input_embeddings[n]]) / scale  # (2, D)
    scores = 2 * (weights @ vectors.T) - _squares(embedded.tokens.vocab_size, spec)[:, None]  # (V, 2)
    return tuple(_nearest(vector, weights, column, k, scale) for vector, column in zip(vectors, scores.T, strict=True))


def _nearest(vector: np.ndarray, weights: np.ndarray, scores: np.ndarray, k: int, scale: np.float32) -> Near:
    wide = min(k + 16, len(weights))  # float32 finds them, float64 puts them in order
    candidates = np.sort(np.argpartition(-scores, wide - 1)[:wide])
    distances = exact(vector, weights[candidates], "euclidean")
    order = np.argsort(distances, kind="stable")[:k]
    return Near(candidates[order], distances[order] * float(scale))


@cachetools.cached(cachetools.LRUCache(maxsize=8), key=lambda vocab_size, spec: (vocab_size, *_identity(spec)))
def _squares(vocab_size: int, spec: Spec) -> np.ndarray:
    """The squared length of every row, float32 (V,): 0.2 MB for GPT-2's vocabulary."""
    weights = tables.token_table(vocab_size, spec).weights
    return np.einsum("vd,vd->v", weights, weights)


def _identity(spec: Spec) -> tuple[str, int, int]:
    """What of a Spec decides the token table."""
    return spec.source, spec.output_dim, spec.seed


@dataclass(frozen=True)
class Cost:
    """Of one block over vectors of a width: its weights, and multiplications for each token."""

    width: int
    weights: int
    multiplications: int


def add_or_concatenate(output_dim: int, position_dim: int) -> tuple[Cost, Cost]:
    """A transformer block when positions are added, and when they are appended as position_dim more numbers."""
    return tuple(
        Cost(width, _MATRICES * width**2, _MATRICES * width**2) for width in (output_dim, output_dim + position_dim)
    )
