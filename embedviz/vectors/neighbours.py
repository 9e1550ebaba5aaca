"""The nearest rows of a table, in all its dimensions."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_finite, check_whole

METRICS = ("cosine", "euclidean")
MAX_NEIGHBOURS = 1000
_SPARE = 64  # candidates beyond those that are asked for: float32 finds candidates, and float64 puts them in order


@dataclass(frozen=True)
class Neighbours:
    """The k nearest rows, the nearest first. Of rows that are equally near, the one with the lower ID comes first.

    ids: int64 array of shape (k,). values: float64 array of shape (k,): the cosine similarity, which falls,
        or the Euclidean distance, which rises. Both read-only.
    """

    ids: np.ndarray
    values: np.ndarray
    metric: str


def nearest(
    query: np.ndarray, table: np.ndarray, k: int = 10, metric: str = "cosine", exclude: tuple[int, ...] = ()
) -> Neighbours:
    """The k rows of `table`, shape (V, D), that are nearest to `query`, shape (D,), without the rows `exclude`.

    The cosine with a zero vector counts as 0. Raises EmbedvizError for an unknown metric, a k out of range, or
    numbers that are not finite or so large that their squares have no float32.
    """
    check_choice("metric", metric, METRICS)
    check_whole("k", k, 1, MAX_NEIGHBOURS)
    scores = _scores(np.asarray(query, np.float32), table, metric)  # (V,)
    scores[list(exclude)] = -np.inf
    kept = min(k, len(table) - len(set(exclude)))
    wide = min(kept + _SPARE, len(table))
    candidates = np.sort(np.argpartition(-scores, wide - 1)[:wide]) if wide else np.empty(0, np.int64)
    candidates = candidates[np.isfinite(scores[candidates])]
    values = exact(query, table[candidates], metric)
    order = np.argsort(-values if metric == "cosine" else values, kind="stable")[:kept]
    return Neighbours(read_only(candidates[order].astype(np.int64)), read_only(values[order]), metric)


def exact(query: np.ndarray, rows: np.ndarray, metric: str) -> np.ndarray:
    """Cosine similarity or Euclidean distance of `query`, shape (D,), to each of N rows, in float64, shape (N,)."""
    query, rows = np.asarray(query, np.float64), np.asarray(rows, np.float64)
    if metric == "euclidean":
        return np.sqrt(((rows - query) ** 2).sum(axis=1))
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    return np.divide(rows @ query, lengths, out=np.zeros(len(rows)), where=lengths > 0)


def _scores(query: np.ndarray, table: np.ndarray, metric: str) -> np.ndarray:
    """Scores, shape (V,), which are larger for nearer rows. They need no copy of the table."""
    squares = np.einsum("vd,vd->v", table, table)
    check_finite(squares)
    check_finite(np.square(query))
    products = table @ query
    if metric == "euclidean":
        return 2 * products - squares
    lengths = np.sqrt(squares)
    return np.divide(products, lengths, out=np.zeros(len(table), np.float32), where=lengths > 0)
