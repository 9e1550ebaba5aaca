"""Whether a position can be read from a vector: by a linear function, fitted on some vectors and tested on others."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Probe:
    """By how many places a linear function is wrong, on average, that reads a token's position from its vector.

    errors: at the input and after each layer, read-only float32 (n_layers + 1,), and off: with all tokens at one
    position, if that was measured. guess: the same for whoever always says the middle.
    """

    errors: np.ndarray
    guess: float
    off: np.ndarray | None = None


def guess_of(places: np.ndarray) -> float:
    """By how many places whoever always says the middle is wrong, on average."""
    return float(np.abs(places - places.mean()).mean())


def position_error(
    vectors: np.ndarray, positions: np.ndarray, tested: np.ndarray, their_positions: np.ndarray, penalty: float = 1.0
) -> float:
    """By how many places ridge regression from vectors (N, D) to positions (N,) is wrong about those tested."""
    mean, spread = vectors.mean(axis=0, dtype=np.float64), vectors.std(axis=0, dtype=np.float64)
    x, x_tested = ((each - mean) / np.where(spread > 0, spread, 1) for each in (vectors, tested))
    middle = positions.mean()
    slopes = np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ (positions - middle))  # (D,)
    return float(np.abs(middle + x_tested @ slopes - their_positions).mean())
