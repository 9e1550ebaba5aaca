"""Arrays: those that visitors share, which must not be written to, texts as arrays, and how far rows are apart."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

_LAST_NULS = re.compile(r"\0+\Z")


def read_only(array: np.ndarray) -> np.ndarray:
    """Make the array read-only and return it. Writing to it raises ValueError from now on."""
    array.flags.writeable = False
    return array


def pairwise_distances(
    a: np.ndarray, b: np.ndarray, metric: Literal["euclidean", "cosine", "chebyshev"] = "euclidean"
) -> np.ndarray:
    """How far each row of a is from each row of b, (N, D) and (M, D) to float64 (N, M)."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 takes half a second, and comes after the first picture

    return cdist(a, b, metric)


def strings(texts: Sequence[str]) -> np.ndarray:
    """Texts as NumPy strings, shape (N,). NumPy drops a NUL at the end of a text, so that it is written as `\\x00`."""
    return np.array([_LAST_NULS.sub(lambda last: r"\x00" * len(last[0]), text) for text in texts], np.str_)
