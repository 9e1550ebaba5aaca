"""What RoPE does pair by pair to one query and one key, and what it does to many, near and far.

Queries and keys are those of a model, or standard normal numbers, drawn as after `torch.manual_seed`. Scores are
divided by √d, as in attention (Vaswani et al. 2017, section 3.2.1), or multiplied by what the model has instead.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.positions import rope
from embedviz.positions.common import angular_speeds, normal

CLOCK_DIMS = 16  # 8 pairs, as many as a screen has room for; a head of 64 has these speeds and three between any two
CLOCK_SEED = 184  # of the seeds below 400 one of six that give no hand too short to be seen, and none far too long
MOST_DRAWN = 8  # pairs
MAX_POSITION = 64
MAX_SHIFT = 512
_BACK = 16  # positions from which both tokens come where no shift is asked for
MAX_WAY = 24  # positions that the hands are followed

FAR_DIMS, FAR_SEED = 64, 0
N_RANDOM = 1000  # pairs of a query and a key
MAX_REACH = 256


@dataclass(frozen=True, eq=False)
class QueryAndKey:
    """One query and one key before they are turned, float32 (d,).

    Pair k of P is made of the dimensions k and k + P. Those from 2 P on, if there are any, are never turned.
    speeds: the radians that each pair turns from one position to the next, float64 (P,). scaling: what the product is
        multiplied by to be a score.
    """

    query: np.ndarray
    key: np.ndarray
    speeds: np.ndarray
    scaling: float


@dataclass(frozen=True)
class Clocks:
    """One query and one key as P pairs, after they were turned. Arrays are float32.

    query_at, key_at: their positions, with the shift. moved_by: the shift of both.
    queries, keys: their pairs as points of a plane, (S + 1, P, 2): on the way of both from no shift on, position by
        position, but at most the last MAX_WAY of them. Without a shift, on the way back from one of 16.
    unmoved: the query's and the key's hand of each pair without a shift, (P, 2, 2); unmoved_angles: between these
    angles: from the query's hand to the key's, in degrees from -180 to 180, (P,).
    shares: the product of each pair, scaled as the score is, (P,). rest: that of all dimensions that are never turned.
    score: the sum of the shares and the rest. unmoved_score: without a shift.
    beside: the score if the key alone stands one position later.
    change: the largest change of the score if both are moved together by 0 to MAX_SHIFT positions, instead of by the
        shift. It is what float32 rounds.
    speeds: how far each pair turns from one position to the next, in degrees, (P,).
    """

    query_at: int
    key_at: int
    moved_by: int
    queries: np.ndarray
    keys: np.ndarray
    unmoved: np.ndarray
    unmoved_angles: np.ndarray
    angles: np.ndarray
    shares: np.ndarray
    rest: float
    score: float
    unmoved_score: float
    beside: float
    change: float
    speeds: np.ndarray

    @property
    def drawn(self) -> list[int]:
        """The pairs that a screen has room for, at most MOST_DRAWN: those whose hands are the longest, together."""
        lengths = np.linalg.norm(self.unmoved, axis=-1).prod(axis=-1)  # (P,), which no turn changes
        return sorted(np.argsort(-lengths, kind="stable")[:MOST_DRAWN].tolist())


def random_pair() -> QueryAndKey:
    """A query and a key of CLOCK_DIMS standard normal numbers each."""
    query, key = normal_vectors(2, CLOCK_DIMS, CLOCK_SEED)
    return QueryAndKey(query, key, angular_speeds(CLOCK_DIMS), CLOCK_DIMS**-0.5)


def clocks(query_at: int, key_at: int, both_at: int, pair: QueryAndKey | None = None) -> Clocks:
    """Turn the query and the key by their own positions, 0 to MAX_POSITION, and by what moves both, 0 to MAX_SHIFT.

    pair: the query and the key; None for the random ones. Raises EmbedvizError if a number is out of range.
    """
    check_whole("query_at", query_at, 0, MAX_POSITION)
    check_whole("key_at", key_at, 0, MAX_POSITION)
    check_whole("both_at", both_at, 0, MAX_SHIFT)
    pair = pair or random_pair()
    places, n, scaling = np.arange(MAX_SHIFT + 1), len(pair.speeds), np.float32(pair.scaling)
    queries, keys = (
        _turned(row, at + places, pair.speeds) for row, at in ((pair.query, query_at), (pair.key, key_at))
    )  # (S, d)
    scores = (queries * keys).sum(axis=1) * scaling
    way = np.arange(max(both_at - MAX_WAY, 0), both_at + 1) if both_at else np.arange(_BACK, -1, -1)
    q_hands, k_hands = (each[:, : 2 * n].reshape(-1, 2, n).transpose(0, 2, 1) for each in (queries, keys))
    q_way, k_way = q_hands[way], k_hands[way]
    q, k = q_way[-1], k_way[-1]  # (P, 2): dimension n beside n + P
    (key_beside,) = _turned(pair.key, np.array([key_at + both_at + 1]), pair.speeds)
    return Clocks(
        query_at + both_at,
        key_at + both_at,
        both_at,
        read_only(np.ascontiguousarray(q_way)),
        read_only(np.ascontiguousarray(k_way)),
        read_only(np.stack([q_hands[0], k_hands[0]], axis=1)),
        _angles(q_hands[0], k_hands[0]),
        _angles(q, k),
        read_only((q * k).sum(axis=1) * scaling),
        float((pair.query[2 * n :] * pair.key[2 * n :]).sum() * scaling),
        float(scores[both_at]),
        float(scores[0]),
        float((queries[both_at] * key_beside).sum() * scaling),
        float(np.abs(scores - scores[both_at]).max()),
        read_only(np.degrees(pair.speeds).astype(np.float32)),
    )


def _turned(row: np.ndarray, places: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """The query or the key, (d,), at each of these positions, float32 (S, d), as `rope.rotate` turns it."""
    angles, n = np.outer(places, speeds), len(speeds)  # (S, P)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    a, b = row[:n], row[n : 2 * n]
    rest = np.tile(row[2 * n :], (len(places), 1))
    return np.concatenate([a * cos - b * sin, a * sin + b * cos, rest], axis=1)


def _angles(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The angle from each query to its key in degrees, float32 (P,)."""
    across = queries[:, 0] * keys[:, 1] - queries[:, 1] * keys[:, 0]
    return read_only(np.degrees(np.arctan2(across, (queries * keys).sum(axis=1))).astype(np.float32))


@dataclass(frozen=True)
class NearAndFar:
    """Scores of queries and keys in a head of FAR_DIMS, up to S positions apart. Arrays are float32 (S + 1,).

    distances: whole numbers from 0 on; the key stands so many positions before the query, as under a causal mask.
    ones: query and key are all ones. mean, spread: mean and standard deviation of N_RANDOM random pairs.
    """

    distances: np.ndarray
    ones: np.ndarray
    mean: np.ndarray
    spread: np.ndarray


@lru_cache(maxsize=4)
def near_and_far(reach: int) -> NearAndFar:
    """Scores at the distances from 0 to reach, 1 to MAX_REACH. Raises EmbedvizError if it is out of range."""
    check_whole("reach", reach, 1, MAX_REACH)
    distances, ones = np.arange(reach + 1), np.ones((1, FAR_DIMS))
    queries, keys = np.split(normal_vectors(2 * N_RANDOM, FAR_DIMS, FAR_SEED), 2)
    scores = _at(queries, keys, distances)  # (N_RANDOM, S + 1)
    found = _at(ones, ones, distances)[0], scores.mean(axis=0), scores.std(axis=0)
    return NearAndFar(read_only(distances), *(read_only(each.astype(np.float32)) for each in found))


def _at(queries: np.ndarray, keys: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """The score of each query with its key, (N, D) both, which stands so many positions before it, (S,): (N, S)."""
    return rope.turned_apart(queries, keys, -distances) / queries.shape[1] ** 0.5


@lru_cache(maxsize=4)
def normal_vectors(n_rows: int, n_columns: int, seed: int) -> np.ndarray:
    """Rows as torch.manual_seed(seed) and torch.randn(n_rows, n_columns) give them, float32."""
    return read_only(normal(n_rows, n_columns, torch.Generator().manual_seed(seed)).numpy())
