"""Vectors to points in 2-D or 3-D."""

from dataclasses import dataclass

import numpy as np

from embedviz import layouts
from embedviz.checks import check_choice, check_whole
from embedviz.errors import EmbedvizError
from embedviz.texts import _

METHODS = ("pca", "tsne", "umap")
REDUCED = 50  # dimensions that t-SNE and UMAP get, the first of PCA's
_TALL, _MANY = 10, 10_000  # rows a dimension, and rows, from which on the covariance is the shorter way
_BLOCK = 2048  # rows
_FEWEST = 10  # vectors below which UMAP's own start fails
_ROUNDING = 1e-14  # shares below this are float64's noise, and their axes arbitrary


@dataclass(frozen=True)
class Projection:
    """Points and the basis that they were drawn in.

    points: float32 array of shape (N, n).
    explained: share of the variance that each axis carries, float64 array of shape (n,); NaN where a method
        has no such thing.
    components: the axes, array of shape (n, D), orthonormal; mean: the centre, shape (D,). Both float64, or
        float32 if a tall float32 table was fitted. t-SNE and UMAP have no axes: components is of shape (0, D).
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

    t-SNE (van der Maaten and Hinton 2008, by openTSNE) and UMAP (McInnes and others 2018, by umap-learn) get
    the vectors' first 50 principal components and take long for many vectors; their settings are the usual
    ones: perplexity 30 and 500 iterations, 15 neighbours and a smallest distance of 0.1.

    Raises EmbedvizError for an unknown method, n outside 1 to 3 (for t-SNE, to 2), too few vectors for a
    method, or `fit_on` with a method that has no basis.
    """
    check_choice("method", method, METHODS)
    check_whole("n", n, 1, 2 if method == "tsne" else 3)
    if method != "pca":
        return _by_layout(vectors, method, n, fit_on, seed)
    fitted = vectors if fit_on is None else fit_on  # (M, D)
    tall = _is_tall(fitted)
    # A tall float32 table stays as it is: a float64 copy of a vocabulary costs more than its PCA.
    components, mean, explained = _fit(fitted if tall else np.asarray(fitted, np.float64), n, tall)
    points = (vectors @ components.T - mean @ components.T).astype(np.float32)  # (N, n)
    for array in (points, explained, components, mean):
        array.flags.writeable = False
    return Projection(points, explained, components, mean)


def reduce(vectors: np.ndarray) -> np.ndarray:
    """The first 50 principal components of N vectors, float32 of shape (N, 50); all of them if D is no more."""
    n = min(REDUCED, *vectors.shape)
    if vectors.shape[1] <= REDUCED:
        return np.asarray(vectors, np.float32)
    components, mean, _explained = _fit(np.asarray(vectors, np.float32), n, _is_tall(vectors))
    return (vectors @ components.T - mean @ components.T).astype(np.float32)  # (N, 50)


def check_enough(n_vectors: int, method: str, *, perplexity: float = 30.0, n_neighbors: int = 15) -> None:
    """Raise EmbedvizError if t-SNE or UMAP cannot map so few vectors with these settings."""
    if method == "tsne" and n_vectors < 3 * perplexity + 1:
        raise EmbedvizError(
            _(
                "A perplexity of {perplexity:g} needs at least {needed:.0f} tokens, and there are "
                "{n_vectors:,}. Take a smaller perplexity or more tokens.",
                perplexity=perplexity,
                needed=3 * perplexity + 1,
                n_vectors=n_vectors,
            )
        )
    if method == "umap" and n_vectors <= max(n_neighbors, _FEWEST):
        raise EmbedvizError(
            _(
                "UMAP with {n_neighbors} neighbours needs more than {fewest} tokens, and there are "
                "{n_vectors:,}. Take fewer neighbours or more tokens.",
                n_neighbors=n_neighbors,
                fewest=max(n_neighbors, _FEWEST),
                n_vectors=n_vectors,
            )
        )


def _by_layout(vectors: np.ndarray, method: str, n: int, fit_on: np.ndarray | None, seed: int) -> Projection:
    if fit_on is not None:
        raise EmbedvizError(
            _("{method} has no basis that could be fitted on other vectors. Leave fit_on out.", method=method)
        )
    check_enough(len(vectors), method)
    settings = {"perplexity": 30.0, "iterations": 500} if method == "tsne" else {"n_neighbors": 15, "min_dist": 0.1}
    if method == "umap":
        settings["n"] = n
    points = layouts.METHODS[method](reduce(vectors), **settings, seed=seed, report=lambda *_args, **_numbers: None)[
        :, :n
    ]
    explained, components, mean = np.full(n, np.nan), np.zeros((0, vectors.shape[1])), vectors.mean(axis=0)
    for array in (points, explained, components, mean):
        array.flags.writeable = False
    return Projection(points, explained, components, mean)


def _is_tall(rows: np.ndarray) -> bool:
    return len(rows) > max(_TALL * rows.shape[1], _MANY)


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
    """By blocks that fit into a processor's cache, so that no second table is made; their sum in float64."""
    mean = np.ones(len(rows), rows.dtype) @ rows / len(rows)
    scatter = np.zeros((rows.shape[1], rows.shape[1]))  # (D, D)
    centred = np.empty((_BLOCK, rows.shape[1]), rows.dtype)
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        block = np.subtract(block, mean, out=centred[: len(block)])
        scatter += block.T @ block
    values, axes = np.linalg.eigh(scatter)  # ascending
    values = values.clip(0)
    return _turned(axes.T[: -n - 1 : -1]).astype(rows.dtype), mean, values[: -n - 1 : -1] / values.sum()


def _by_singular_values(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    mean = rows.mean(axis=0)
    _left, singular, axes = np.linalg.svd(rows - mean, full_matrices=False)
    return _turned(axes[:n]), mean, (singular**2 / (singular**2).sum())[:n]


def _turned(axes: np.ndarray) -> np.ndarray:
    """Either way round is an axis: the one whose largest entry is positive, as in scikit-learn."""
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.sign(largest)[:, None]
