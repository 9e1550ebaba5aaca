"""Two sentences as points in one basis, so that adding a position is an arrow."""

from dataclasses import dataclass

import numpy as np

from embedviz.comparison import Comparison
from embedviz.projection import project


@dataclass(frozen=True)
class Scene:
    """Points of both sentences in one fixed, centred PCA basis, fitted on token, positional and input
    vectors together.

    PCA is affine: the arrow from a token's point to its input's point is the exact image of its
    positional vector, and moving along it by t is what adding t times that vector does.

    tokens_a, tokens_b, inputs_a, inputs_b: float32 arrays of shape (T, n).
    positions: the positional vectors of positions 0 to max(T_A, T_B) - 1, shape (max T, n).
    origin: where the zero vector lies, shape (n,).
    explained: share of the variance that each axis carries, shape (n,).
    """

    tokens_a: np.ndarray
    tokens_b: np.ndarray
    inputs_a: np.ndarray
    inputs_b: np.ndarray
    positions: np.ndarray
    origin: np.ndarray
    explained: np.ndarray


def scene(comparison: Comparison, n: int = 2) -> Scene:
    """Project both sentences to n dimensions, 2 or 3."""
    a, b = comparison.a, comparison.b
    longer = a if len(a.tokens) >= len(b.tokens) else b
    fitted = np.concatenate(
        [
            part
            for sentence in (a, b)
            for part in (
                sentence.token_embeddings,
                sentence.positional_embeddings,
                sentence.input_embeddings,
            )
        ]
    )  # (3 T_A + 3 T_B, D)
    groups = [
        a.token_embeddings,
        b.token_embeddings,
        a.input_embeddings,
        b.input_embeddings,
        longer.positional_embeddings,
        np.zeros((1, a.spec.output_dim), np.float32),
    ]
    projection = project(np.concatenate(groups), n=n, fit_on=fitted)
    cuts = np.cumsum([len(group) for group in groups])[:-1]
    *points, origin = np.split(projection.points, cuts)
    return Scene(*points, origin[0], projection.explained)
