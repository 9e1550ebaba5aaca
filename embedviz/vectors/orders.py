"""Whole sentences as points: two orders of the same words are one point until positions tell them apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only

_EXACT = 1e-12  # of the square of the longest vector, as float64 rounds
_ROUNDING = 1e-4  # of the largest distance: sentences that are not farther apart differ by rounding alone


@dataclass(frozen=True)
class SentenceMap:
    """N sentences as points, without positions (`start`) and with them (`end`). All arrays are read-only.

    starts, ends: float32 (N, 2), in one PCA basis fitted on both, so that a straight line leads from one to the other
    while the positions grow. explained: the share of the variance of each axis, float64 (2,).
    before, after: the distances between the sentences, float64 (N, N).
    """

    starts: np.ndarray
    ends: np.ndarray
    explained: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def n_before(self) -> int:
        """How many sentences can be told apart without positions."""
        return _n_apart(self.before, max(self.before.max(), self.after.max()))

    @property
    def n_after(self) -> int:
        """How many can be told apart with positions."""
        return _n_apart(self.after, max(self.before.max(), self.after.max()))

    @property
    def farthest(self) -> tuple[int, int]:
        """The two sentences that are farthest apart with positions."""
        i, j = divmod(int(self.after.argmax()), len(self.after))
        return min(i, j), max(i, j)


def sentence_map(ids: Sequence[Sequence[int]], starts: Sequence[np.ndarray], ends: Sequence[np.ndarray]) -> SentenceMap:
    """Lay the vectors of each sentence side by side, token by token, and measure how far the sentences are apart.

    Each token has a place of its own: the first copy of an ID from the left the first one, and so on. A token that a
    sentence lacks is a vector of zeros there. So sentences made of the same tokens are the same until positions come.

    ids: for each of N sentences the IDs of its T tokens. starts, ends: its vectors without and with positions, (T, D).
    """
    n = len(ids)
    inner = np.zeros((2 * n, 2 * n))  # products of the long vectors, place by place
    for places in _places(ids):
        which = np.array([sentence for sentence, _token in places])
        start, end = (np.array([side[i][k] for i, k in places], np.float64) for side in (starts, ends))
        rows, both = np.concatenate([start, end]), np.concatenate([which, n + which])
        inner[np.ix_(both, both)] += rows @ rows.T
    both = _squares(inner)
    points, explained = _scaled(both)
    points = points[(both == 0).argmax(axis=1)]  # what is the same is one point, to the bit
    distances = np.sqrt(both)
    parts = (points[:n], points[n:], explained, distances[:n, :n], distances[n:, n:])
    return SentenceMap(*map(read_only, parts))


def _squares(inner: np.ndarray) -> np.ndarray:
    """The squares of the distances of points from their products; what rounding alone explains is zero."""
    lengths = np.diag(inner)
    squares = lengths[:, None] + lengths - 2 * inner
    return np.where(squares > _EXACT * lengths.max(), squares, 0.0)


def _places(ids: Sequence[Sequence[int]]) -> list[list[tuple[int, int]]]:
    """For each copy of each ID, where it stands: (sentence, token)."""
    places: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for sentence, of in enumerate(ids):
        seen: Counter[int] = Counter()
        for token, id_ in enumerate(of):
            places.setdefault((id_, seen[id_]), []).append((sentence, token))
            seen[id_] += 1
    return list(places.values())


def _scaled(squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two principal components of points from the squares of their distances, (N, N), and what they explain.

    This is classical scaling (Torgerson 1952), which gives the same points as PCA.
    """
    centred = squares - squares.mean(axis=0)
    inner = -0.5 * (centred - centred.mean(axis=1, keepdims=True))  # (N, N), the products of centred points
    values, vectors = np.linalg.eigh((inner + inner.T) / 2)
    values, vectors = np.clip(values[:-3:-1], 0, None), vectors[:, :-3:-1]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), range(2)])  # else the same points might be drawn mirrored
    total = float(np.trace(inner))
    explained = values / total if total > 0 else np.zeros(2)
    return (vectors * signs * np.sqrt(values)).astype(np.float32), explained


def _n_apart(distances: np.ndarray, largest: float) -> int:
    """How many points there are, if those closer than rounding explains are one."""
    is_close = np.tril(distances <= _ROUNDING * largest, -1)
    return int((~is_close.any(axis=1)).sum())
