"""Points of tokens in a basis: a map by principal components, or along an axis that leads from one token to another."""

import hashlib
from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_finite
from embedviz.base.errors import EmbedvizError


@dataclass(frozen=True)
class Map:
    """Points of N tokens.

    ids: the IDs of the tokens, int64 of shape (N,). points: float32 of shape (N, 3); 2-D maps end with a column of
    zeros. explained: share of the variance that each axis carries, shape (3,), NaN for t-SNE and UMAP.
    components, mean: the basis, shapes (3, D) and (D,). Without a basis, components is (0, D). digest: a name for
    just these points.
    """

    ids: np.ndarray
    points: np.ndarray
    explained: np.ndarray
    components: np.ndarray
    mean: np.ndarray
    digest: str

    @property
    def is_part(self) -> bool:
        """True if not every token of the vocabulary is drawn."""
        return not np.array_equal(self.ids, np.arange(len(self.ids)))

    @property
    def nbytes(self) -> int:
        """The bytes that the map takes of the budget."""
        return self.ids.nbytes + self.points.nbytes + self.components.nbytes + self.mean.nbytes

    def place(self, vector: np.ndarray) -> np.ndarray:
        """Where a vector of shape (D,) lies in the basis, float32 of shape (3,)."""
        return ((vector - self.mean) @ self.components.T).astype(np.float32)


def along(vectors: np.ndarray, table: np.ndarray, only: tuple[int, ...], ends: tuple[int, int]) -> Map:
    """The map along an axis: x leads from the first token, at 0, to the second; y and z are components of the rest."""
    start, end = table[ends[0]].astype(np.float64), table[ends[1]].astype(np.float64)
    length = np.linalg.norm(end - start)
    if length == 0:
        raise EmbedvizError("An axis needs two tokens with different vectors. Take another token.")
    axis = (end - start) / length
    mean = vectors.mean(axis=0, dtype=np.float64)
    covariance = (vectors.T @ vectors).astype(np.float64) / len(vectors) - np.outer(mean, mean)
    check_finite(covariance)
    rest = np.eye(len(axis)) - np.outer(axis, axis)
    _values, others = np.linalg.eigh(rest @ covariance @ rest)
    others = others[:, ::-1].T[:2]
    others -= np.outer(others @ axis, axis)  # if nothing is left, eigenvectors may lie on the axis itself
    basis = np.zeros((3, len(axis)))
    basis[0] = axis
    basis[1 : 1 + len(others)] = others
    origin = mean + axis * ((start - mean) @ axis)  # drawn at zero: level with the first token, else in the middle
    shares = np.einsum("nd,de,ne->n", basis, covariance, basis) / max(np.trace(covariance), 1e-300)
    points = (vectors @ basis.T - origin @ basis.T).astype(np.float32)
    return map_of(only, points, shares, basis, origin)


def map_of(
    only: tuple[int, ...], points: np.ndarray, explained: np.ndarray, components: np.ndarray, mean: np.ndarray
) -> Map:
    """A Map of the tokens `only`, or of all if it is empty; the arrays are those of Map."""
    ids = np.array(only, np.int64) if only else np.arange(len(points))
    points = np.ascontiguousarray(np.pad(points, ((0, 0), (0, 3 - points.shape[1]))), np.float32)
    digest = hashlib.sha256(points)
    digest.update(ids)
    return Map(*map(read_only, (ids, points, explained, components, mean)), digest.hexdigest()[:16])
