"""Whether a position can be read from a vector: by a straight line or a small network, fitted on other vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import nn

PENALTY = 100.0  # of the line's slopes, for numbers of standard deviation 1
HIDDEN = 512
EPOCHS, BATCH, RATE = 6, 256, 3e-3

Reader = Callable[[np.ndarray], np.ndarray]  # from vectors (N, D) to positions (N,)


@dataclass(frozen=True)
class Errors:
    """By how many places a probe is wrong, on average: about what it was fitted on, and about what it was tested on.

    fitted, tested: at the input and after each layer, read-only float32 (S, n_layers + 1), a row for each of S seeds.
    """

    fitted: np.ndarray
    tested: np.ndarray

    @property
    def spread(self) -> float:
        """By how many places two seeds differ at most, where they were tested."""
        return float(np.ptp(self.tested, axis=0).max())


@dataclass(frozen=True)
class Probe:
    """What a straight line, which has no seed and so one row, and a small network read of positions.

    length: tokens of a text. n_fitted, n_tested: tokens on which the two were fitted, and others on which they were
    tested.
    """

    line: Errors
    network: Errors
    length: int
    n_fitted: int
    n_tested: int

    @property
    def guess(self) -> float:
        """By how many places whoever always says the middle is wrong, on average."""
        places = np.arange(self.length)
        return float(np.abs(places - places.mean()).mean())


def fitted_line(vectors: np.ndarray, positions: np.ndarray) -> Reader:
    """Ridge regression from vectors (N, D) to positions (N,)."""
    scaled, middle = _scaled(vectors), positions.mean()
    x = scaled(vectors)
    slopes = np.linalg.solve(x.T @ x + PENALTY * np.eye(x.shape[1]), x.T @ (positions - middle))  # (D,)
    return lambda others: middle + scaled(others) @ slopes


def fitted_network(vectors: np.ndarray, positions: np.ndarray, seed: int) -> Reader:
    """A network with one hidden layer from vectors (N, D) to the probability of each position, int64 (N,).

    What it reads is the mean of the positions by these probabilities.
    """
    scaled = _scaled(vectors)
    x, y = torch.tensor(scaled(vectors), dtype=torch.float32), torch.tensor(positions)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = nn.Sequential(nn.Linear(x.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, int(y.max()) + 1))
        optimizer = torch.optim.AdamW(layers.parameters(), RATE)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(x)).split(BATCH):
                optimizer.zero_grad()
                nn.functional.cross_entropy(layers(x[rows]), y[rows]).backward()
                optimizer.step()
    return partial(_read, layers, scaled)


@torch.no_grad()
def _read(layers: nn.Module, scaled: Reader, vectors: np.ndarray) -> np.ndarray:
    shares = layers(torch.tensor(scaled(vectors), dtype=torch.float32)).softmax(-1)  # (N, L)
    return (shares @ torch.arange(shares.shape[1]).float()).numpy()


def _scaled(vectors: np.ndarray) -> Reader:
    """What brings vectors to the mean 0 and the standard deviation 1 that these get by it, as float64."""
    mean, spread = vectors.mean(axis=0, dtype=np.float64), vectors.std(axis=0, dtype=np.float64)
    return lambda others: (others - mean) / np.where(spread > 0, spread, 1)
