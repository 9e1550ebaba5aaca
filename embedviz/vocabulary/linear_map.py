"""Points of tokens in a basis: a map by principal components, or along an axis that leads from one token to another."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_finite
from embedviz.base.errors import EmbedvizError


@dataclass(frozen=True)
class Map:
    """Points of N tokens.

    ids: the IDs of the tokens, int64 of shape (N,). points: float32 of shape (N, 2). explained: share of the variance
    that each axis carries, shape (2,), NaN for t-SNE. digest: a name for just these points.
    """

    ids: np.ndarray
    points: np.ndarray
    explained: np.ndarray
    digest: str

    @property
    def is_part(self) -> bool:
        """True if not every token of the vocabulary is drawn."""
        return not np.array_equal(self.ids, np.arange(len(self.ids)))

    @property
    def nbytes(self) -> int:
        """The bytes that the map takes of the budget."""
        return self.ids.nbytes + self.points.nbytes


def along(vectors: np.ndarray, table: np.ndarray, only: tuple[int, ...], ends: tuple[int, int]) -> Map:
    """The map along an axis: x leads from the first token, at 0, to the second; y is a component of the rest."""
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
    other = others[:, -1]
    other -= (other @ axis) * axis  # if nothing is left, an eigenvector may lie on the axis itself
    basis = np.stack([axis, other])
    origin = mean + axis * ((start - mean) @ axis)  # drawn at zero: level with the first token, else in the middle
    shares = np.einsum("nd,de,ne->n", basis, covariance, basis) / max(np.trace(covariance), 1e-300)
    points = (vectors @ basis.T - origin @ basis.T).astype(np.float32)
    return map_of(only, points, shares)


def map_of(only: Sequence[int], points: np.ndarray, explained: np.ndarray) -> Map:
    """A Map of the tokens `only`, or of all if it is empty; the arrays are those of Map."""
    ids = np.array(only, np.int64) if len(only) else np.arange(len(points))
    points = np.ascontiguousarray(points, np.float32)
    digest = hashlib.sha256(points.data)
    digest.update(ids.data)
    return Map(read_only(ids), read_only(points), read_only(explained), digest.hexdigest()[:16])
