"""Give back the kind of array that was handed in."""

from typing import TypeVar

import numpy as np
import torch

A = TypeVar("A", np.ndarray, torch.Tensor)


def like(result: np.ndarray, given: A) -> A:
    """`result` as a tensor if `given` is one, else as a read-only NumPy array."""
    if isinstance(given, torch.Tensor):
        return torch.from_numpy(np.asarray(result)).to(given.device)
    found = np.asarray(result)
    found.flags.writeable = False
    return found


def array(given: object) -> np.ndarray:
    """A list, an array or a tensor as a NumPy array."""
    return given.detach().cpu().numpy() if isinstance(given, torch.Tensor) else np.asarray(given)


def distances(positions: np.ndarray) -> np.ndarray:
    """key - query for every query (row) and key (column) at these positions, integers of shape (T, T)."""
    return positions[None, :] - positions[:, None]
