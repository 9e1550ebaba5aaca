"""Turns vectors into points in 2-D or 3-D. Two sentences share one basis, in which each position is an arrow."""

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_finite, check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.text.rich import Rich
from embedviz.vectors import layouts
from embedviz.vectors.comparison import Comparison

METHODS = ("pca", "tsne", "umap")
_MODULES = {"tsne": "openTSNE", "umap": "umap"}  # which only the extra "maps" brings
REDUCED = 50  # dimensions that t-SNE and UMAP get, which are the first of PCA
_TALL, _MANY = 10, 10_000  # above both numbers (rows for each dimension, and rows), PCA uses the covariance matrix
_FEWEST = 10  # vectors below which UMAP's own start fails
_SPANS = (1e-15, 1e15)
_ROUNDING = 1e-14  # shares below this are noise of float64, and their axes are arbitrary
_turn = threading.Lock()  # tall tables are fitted one after the other, since each needs a copy of twice its size


@dataclass(frozen=True, repr=False)
class Projection(Rich):
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

    def _about(self) -> dict[str, object]:
        explained = ", ".join(f"{share:.0%}" for share in self.explained if not np.isnan(share))
        return {"points": self.points} | ({"variance explained": explained} if explained else {})


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
    draw random numbers; PCA draws none. Axes that the data cannot fill are zero and explain nothing.

    t-SNE (van der Maaten and Hinton 2008, by openTSNE) and UMAP (McInnes and others 2018, by umap-learn) get
    the vectors' first 50 principal components and take long for many vectors; their settings are the usual
    ones: perplexity 30 and 500 iterations, 15 neighbours and a smallest distance of 0.1.

    Raises EmbedvizError for an unknown method, n outside 1 to 3 (for t-SNE, to 2), too few vectors for a
    method, `fit_on` with a method that has no basis, numbers that are not finite or too large, and for t-SNE and UMAP
    if all vectors are equal. PCA draws equal vectors at zero.
    """
    check_choice("method", method, METHODS)
    check_whole("n", n, 1, 2 if method == "tsne" else 3)
    if method != "pca":
        return _by_layout(vectors, method, n, fit_on, seed)
    components, mean, explained = _fit(vectors if fit_on is None else fit_on, n)
    points = _drawn(vectors, components, mean)  # (N, n)
    return Projection(*map(read_only, (points, explained, components, mean)))


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
    *points, origin = np.split(projection.points, cuts)
    return Scene(*points, origin[0], projection.explained)


def reduce(vectors: np.ndarray) -> np.ndarray:
    """The first 50 principal components, float32 (N, 2 to 50). Raises EmbedvizError for what no map can show."""
    found = np.asarray(vectors, np.float32)
    if vectors.shape[1] > REDUCED:
        components, mean, _explained = _fit(vectors, min(REDUCED, len(vectors)))
        found = _drawn(vectors, components, mean)
    check_finite(span := np.ptp(found, axis=0).max())  # NaN and infinity stay in a difference
    if span == 0:
        raise EmbedvizError("All these vectors are equal, so none is nearer to another. PCA draws them as one point.")
    if not _SPANS[0] < span < _SPANS[1]:
        raise EmbedvizError(
            "These vectors are {span:.0e} apart, and t-SNE and UMAP need 1e-15 to 1e15. Take PCA.", span=span
        )
    return np.pad(found, ((0, 0), (0, max(2 - found.shape[1], 0))))  # t-SNE begins with two principal components


def check_enough(n_vectors: int, method: str, *, perplexity: float = 30.0, n_neighbors: int = 15) -> None:
    """Raise EmbedvizError if t-SNE or UMAP cannot map so few vectors with these settings, or is not installed."""
    if method in _MODULES and not find_spec(_MODULES[method]):
        raise EmbedvizError(
            "{module} is not installed, which makes this map. `pip install 'embedviz[maps]'` brings it.",
            module=_MODULES[method],
        )
    if method == "tsne" and n_vectors < 3 * perplexity + 1:
        raise EmbedvizError(
            "A perplexity of {perplexity:g} needs at least {needed:.0f} tokens, and there are "
            "{n_vectors:,}. Take a smaller perplexity or more tokens.",
            perplexity=perplexity,
            needed=3 * perplexity + 1,
            n_vectors=n_vectors,
        )
    if method == "umap" and n_vectors <= max(n_neighbors, _FEWEST):
        raise EmbedvizError(
            "UMAP with {n_neighbors} neighbours needs more than {fewest} tokens, and there are "
            "{n_vectors:,}. Take fewer neighbours or more tokens.",
            n_neighbors=n_neighbors,
            fewest=max(n_neighbors, _FEWEST),
            n_vectors=n_vectors,
        )


def _by_layout(vectors: np.ndarray, method: str, n: int, fit_on: np.ndarray | None, seed: int) -> Projection:
    if fit_on is not None:
        raise EmbedvizError(
            "{method} has no basis that could be fitted on other vectors. Leave fit_on out.", method=method
        )
    check_enough(len(vectors), method)
    settings = {"perplexity": 30.0, "iterations": 500} if method == "tsne" else {"n_neighbors": 15, "min_dist": 0.1}
    if method == "umap":
        settings["n"] = n
    found = layouts.METHODS[method](reduce(vectors), **settings, seed=seed, report=lambda *_args, **_numbers: None)
    check_finite(points := found[:, :n])
    explained, components, mean = np.full(n, np.nan), np.zeros((0, vectors.shape[1])), vectors.mean(axis=0)
    return Projection(*map(read_only, (points, explained, components, mean)))


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
    real = np.flatnonzero(pca.explained_variance_ratio_ > _ROUNDING)
    components[real], explained[real] = pca.components_[real], pca.explained_variance_ratio_[real]
    return components, pca.mean_.astype(dtype), explained
