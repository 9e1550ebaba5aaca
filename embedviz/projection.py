"""Vectors to points in 2-D or 3-D."""

from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA

from embedviz.errors import check_choice, check_whole

METHODS = ("pca",)
_TALL, _MANY = 10, 10_000  # rows a dimension, and rows, from which on the covariance is the shorter way
_ROUNDING = 1e-14  # shares below this are float64's noise, and their axes arbitrary


@dataclass(frozen=True)
class Projection:
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


def project(
    vectors: np.ndarray, method: str = "pca", n: int = 2, fit_on: np.ndarray | None = None, seed: int = 0
) -> Projection:
    """Project N vectors of D dimensions, shape (N, D), to n dimensions.

    The basis is fitted on `fit_on`, shape (M, D), or on `vectors` themselves. PCA is exact (Pearson
    1901; by singular values, or for tall tables by the eigenvectors of the covariance) and affine: a
    difference of two vectors is drawn as the difference of their points. `seed` is for methods that
    draw random numbers; PCA draws none. Axes that the data cannot fill are zero and explain nothing.

    Raises EmbedvizError for an unknown method or n outside 1 to 3.
    """
    check_choice("method", method, METHODS)
    check_whole("n", n, 1, 3)
    fitted = vectors if fit_on is None else fit_on  # (M, D)
    tall = len(fitted) > max(_TALL * fitted.shape[1], _MANY)
    # A tall float32 table stays as it is: a float64 copy of a vocabulary costs more than its PCA.
    components, mean, explained = _fit(fitted if tall else np.asarray(fitted, np.float64), n, tall)
    points = (vectors @ components.T - mean @ components.T).astype(np.float32)  # (N, n)
    for array in (points, explained, components, mean):
        array.flags.writeable = False
    return Projection(points, explained, components, mean)


def _fit(rows: np.ndarray, n: int, tall: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n_rows, n_dims = rows.shape
    components, explained = np.zeros((n, n_dims), rows.dtype), np.zeros(n)
    if not n_rows or (rows == rows[0]).all():
        return components, rows[0] if n_rows else np.zeros(n_dims), explained
    filled = min(n, n_rows, n_dims)
    axes, mean, shares = _by_covariance(rows, filled) if tall else _by_singular_values(rows, filled)
    real = shares > _ROUNDING
    components[:filled][real], explained[:filled][real] = axes[real], shares[real]
    return components, mean, explained


def _by_covariance(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pca = PCA(n, svd_solver="covariance_eigh").fit(rows)
    return pca.components_, pca.mean_, pca.explained_variance_ratio_


def _by_singular_values(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Without scikit-learn's checks, which take longer than the few rows of two sentences."""
    mean = rows.mean(axis=0)
    _, singular, axes = np.linalg.svd(rows - mean, full_matrices=False)
    largest = axes[np.arange(n), np.abs(axes[:n]).argmax(axis=1)]
    return axes[:n] * np.sign(largest)[:, None], mean, (singular**2 / (singular**2).sum())[:n]
