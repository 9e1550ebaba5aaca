"""Turns vectors into points in 2-D or 3-D. Two sentences share one basis, in which each position is an arrow."""

import threading
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_finite, check_whole
from embedviz.text.notebook_repr import NotebookRepr
from embedviz.vectors.comparison import Comparison

METHODS = ("pca",)
_TALL, _MANY = 10, 10_000  # above both numbers (rows for each dimension, and rows), PCA uses the covariance matrix
_ROUNDING = 1e-14  # shares below this are noise of float64, and their axes are arbitrary
_turn = threading.Lock()  # tall tables are fitted one after the other, since each needs a copy of twice its size


@dataclass(frozen=True, repr=False)
class Projection(NotebookRepr):
    """Points and the basis that they were drawn in.

    points: float32 array of shape (N, n).
    explained: share of the variance that each axis carries, float64 array of shape (n,).
    components: the axes, array of shape (n, D), orthonormal; mean: the centre, shape (D,). Both float64, or
        float32 if a tall float32 table was fitted.
    """

    points: np.ndarray
    explained: np.ndarray
    components: np.ndarray
    mean: np.ndarray

    def _about(self) -> dict[str, object]:
        return {"points": self.points, "variance explained": ", ".join(f"{share:.0%}" for share in self.explained)}


@dataclass(frozen=True)
class Scene:
    """Points of both sentences in one fixed, centred PCA basis, fitted on token, positional and input
    vectors together.

    PCA is affine: the arrow from a token's point to its input's point is the exact image of its
    positional vector, and moving along it by t is what adding t times that vector does.

    tokens_a, tokens_b, inputs_a, inputs_b: float32 arrays of shape (T, 2).
    positions: the positional vectors of positions 0 to max(T_A, T_B) - 1, shape (max T, 2).
    origin: where the zero vector lies, shape (2,).
    explained: share of the variance that each axis carries, shape (n,).
    """

    tokens_a: np.ndarray
    tokens_b: np.ndarray
    inputs_a: np.ndarray
    inputs_b: np.ndarray
    positions: np.ndarray
    origin: np.ndarray
    explained: np.ndarray


def project(
    vectors: np.ndarray, method: str = "pca", n: int = 2, fit_on: np.ndarray | None = None, seed: int = 0
) -> Projection:
    """Project N vectors of D dimensions, shape (N, D), to n dimensions.

    The basis is fitted on `fit_on`, shape (M, D), or on `vectors` themselves. PCA is exact (Pearson
    1901; by singular values, or for tall tables by the eigenvectors of the covariance) and affine: a
    difference of two vectors is drawn as the difference of their points. `seed` is for methods that
    draw random numbers; PCA draws none. Axes that the data cannot fill are zero and explain nothing, so equal
    vectors are drawn at zero.

    Raises EmbedvizError for an unknown method, n outside 1 to 3, and numbers that are not finite or too large.
    """
    check_choice("method", method, METHODS)
    check_whole("n", n, 1, 3)
    components, mean, explained = _fit(vectors if fit_on is None else fit_on, n)
    points = _drawn(vectors, components, mean)  # (N, n)
    return Projection(read_only(points), read_only(explained), read_only(components), read_only(mean))


def scene(comparison: Comparison) -> Scene:
    """Project both sentences to two dimensions."""
    a, b = comparison.a, comparison.b
    longer = a if len(a.tokens) >= len(b.tokens) else b
    fitted = np.concatenate(
        [
            part
            for sentence in (a, b)
            for part in (sentence.token_embeddings, sentence.positional_embeddings, sentence.input_embeddings)
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
    projection = project(np.concatenate(groups), fit_on=fitted)
    cuts = np.cumsum([len(group) for group in groups])[:-1]
    tokens_a, tokens_b, inputs_a, inputs_b, positions, origin = np.split(projection.points, cuts)
    return Scene(tokens_a, tokens_b, inputs_a, inputs_b, positions, origin[0], projection.explained)


def _drawn(vectors: np.ndarray, components: np.ndarray, mean: np.ndarray) -> np.ndarray:
    points = (vectors @ components.T - mean @ components.T).astype(np.float32)  # (N, n)
    check_finite(points)
    return points


def _fit(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Axes (n, D), mean (D,) and shares (n,), with zeros for the axes that the rows cannot fill."""
    from sklearn import config_context  # noqa: PLC0415 takes a second, which a server spends while it warms up
    from sklearn.decomposition import PCA  # noqa: PLC0415

    check_finite(rows)
    n_rows, n_dims = rows.shape
    tall = n_rows > max(_TALL * n_dims, _MANY)
    dtype = np.result_type(rows, np.float32 if tall else np.float64)
    components, explained = np.zeros((n, n_dims), dtype), np.zeros(n)
    if not n_rows or (rows == rows[0]).all():
        return components, (rows[0] if n_rows else np.zeros(n_dims)).astype(dtype), explained
    pca = PCA(min(n, n_rows, n_dims), svd_solver="covariance_eigh" if tall else "full", copy=False)
    # For two sentences, checks for values that are not finite and for wrong settings would take a sixth of the time.
    with _turn if tall else nullcontext(), config_context(assume_finite=True, skip_parameter_validation=True):
        # In float32 the axes of a table whose mean is large are wrong in the second digit.
        pca.fit(rows.astype(np.float64))
    shares = np.asarray(pca.explained_variance_ratio_)
    real = np.flatnonzero(shares > _ROUNDING)
    components[real], explained[real] = np.asarray(pca.components_)[real], shares[real]
    return components, pca.mean_.astype(dtype), explained
