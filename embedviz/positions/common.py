"""What several schemes share: arrays like the given ones, distances, the speeds of pairs of dimensions, products."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import cachetools
import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import translated

A = TypeVar("A", np.ndarray, torch.Tensor)


def like(result: np.ndarray, values: A) -> A:
    """`result` as a tensor if `given` is one, else as a read-only NumPy array."""
    if isinstance(values, torch.Tensor):
        return torch.from_numpy(np.asarray(result)).to(values.device)
    return read_only(np.asarray(result))


def array(values: object) -> np.ndarray:
    """A list, an array or a tensor as a NumPy array."""
    return values.detach().cpu().numpy() if isinstance(values, torch.Tensor) else np.asarray(values)


def check_pairs(scheme: str, output_dim: int) -> None:
    """Raise EmbedvizError unless the dimensions make pairs. scheme: the title of the scheme that needs them."""
    if output_dim % 2:
        raise EmbedvizError(
            "{scheme} positions need an even output_dim, a sine and a cosine each; {output_dim} is odd. Try {better}.",
            scheme=partial(translated, scheme),
            output_dim=output_dim,
            better=max(output_dim + 1, 2),
        )
    check_whole("output_dim", output_dim, 2, 2**20)


def angular_speeds(n_dims: int, base: float = 10000.0) -> np.ndarray:
    """The radians by which each pair of so many dimensions turns at each position, the fastest first.

    They are float64 of shape (d/2,). Sinusoids have such pairs in a vector, and RoPE in a head.
    """
    return base ** (-np.arange(0, n_dims, 2) / n_dims)


def first_and_second(n_dims: int, layout: str) -> tuple[slice, slice]:
    """The first dimension of each pair and the second one, in the layout "half" or "interleaved"."""
    if layout == "half":
        return slice(0, n_dims // 2), slice(n_dims // 2, n_dims)
    return slice(0, n_dims, 2), slice(1, n_dims, 2)


def matrix(output_dim: int, generator: torch.Generator) -> torch.Tensor:
    """An untrained matrix, normal numbers of variance 1/D, shape (D, D), float32."""
    return normal(output_dim, output_dim, generator) / output_dim**0.5


def normal(n_rows: int, n_columns: int, generator: torch.Generator) -> torch.Tensor:
    """Standard normal numbers of this shape, float32."""
    return torch.empty(n_rows, n_columns).normal_(generator=generator)


def distances(positions: np.ndarray) -> np.ndarray:
    """key - query for every query (row) and key (column) at these positions, integers of shape (T, T)."""
    return positions[None, :] - positions[:, None]


def unique_distances(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distances that may occur, (R,), and the index among them for every query and key, (T, T)."""
    reach = positions.max() - positions.min()
    if reach < 4 * len(positions):
        return np.arange(-reach, reach + 1), distances(positions) + reach
    found, index = np.unique(distances(positions), return_inverse=True)
    return found, index.reshape(len(positions), len(positions))


def kept_for_distances(n_bytes: int) -> Callable[[Callable[..., np.ndarray]], Callable[..., np.ndarray]]:
    """Keep what a function makes of a sentence's distances, which a change of its words leaves as they are.

    n_bytes: the most that is kept; what was used longest ago goes first.
    """
    kept = cachetools.LRUCache[Any, np.ndarray](n_bytes, getsizeof=lambda array: array.nbytes)
    return cachetools.cached(kept, key=lambda distances, *more: (distances.tobytes(), *more), lock=threading.Lock())


def heads(vectors: np.ndarray, through: np.ndarray, n_heads: int) -> np.ndarray:
    """Multiply vectors (R, D) by a matrix and split them into heads, (H, R, d), in the dtype of the vectors."""
    projected = vectors @ through.astype(vectors.dtype, copy=False)  # (R, H d)
    return np.ascontiguousarray(projected.reshape(len(vectors), n_heads, -1).transpose(1, 0, 2))


def gathered(left: np.ndarray, vectors: np.ndarray, index: np.ndarray) -> np.ndarray:
    """left[h, i] . vectors[h, index[i, j]] for every i and j: (H, N, d), (H or 1, R, d), (N, T) to (H, N, T)."""
    products = left @ vectors.transpose(0, 2, 1)  # (H, N, R)
    return np.take_along_axis(products, index[None], axis=2)
