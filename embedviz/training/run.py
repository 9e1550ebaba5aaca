"""A training run as arrays: the tables and weights learned so far, the steps of the snapshots, and the losses."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
from safetensors import numpy as safetensors

from embedviz.base.arrays import read_only
from embedviz.training.corpus import words_of
from embedviz.training.train import TrainingSettings, TrainingStep, train

_ARRAYS = ("losses", "steps", "held_out", "tokens", "positions")


@dataclass(frozen=True)
class Run:
    """A run, finished or not. All arrays are read-only.

    vocabulary: V words. losses: the loss of each batch so far, float32 of shape (N,).
    steps: the number of steps after which each of the S snapshots was taken, int64 of shape (S,).
    held_out: the loss at each snapshot on windows that are not learned from, float32 of shape (S,).
    tokens, positions: the two tables at each snapshot, float32 of shapes (S, V, D) and (S, L, D).
    weights: every parameter of the model at the last snapshot by its name in PyTorch, float32.
    """

    settings: TrainingSettings
    vocabulary: tuple[str, ...]
    losses: np.ndarray
    steps: np.ndarray
    held_out: np.ndarray
    tokens: np.ndarray
    positions: np.ndarray
    weights: Mapping[str, np.ndarray]

    def texts(self, ids: Iterable[int]) -> list[str]:
        """The word of each ID."""
        return [self.vocabulary[id_] for id_ in ids]

    @property
    def key(self) -> tuple:
        """What tells its last snapshot from others. Another processor's training of the same ends at another loss."""
        return self.settings, int(self.steps[-1]), float(self.held_out[-1])

    @property
    def is_finished(self) -> bool:
        """True once the last step is done."""
        return len(self.losses) == self.settings.steps

    @property
    def has_begun(self) -> bool:
        """True once a step is done."""
        return len(self.losses) > 0

    @property
    def nbytes(self) -> int:
        """The bytes that the run takes of a cache's budget."""
        return sum(each.nbytes for each in (*(getattr(self, name) for name in _ARRAYS), *self.weights.values()))


def follow(settings: TrainingSettings, every: float = 0.0) -> Iterator[Run]:
    """Train, and yield the run so far, at most once in `every` seconds. The last run that is yielded is finished.

    Raises EmbedvizError as `train` does.
    """
    vocabulary = words_of(settings.text)
    losses: list[float] = []
    kept: list[TrainingStep] = []
    told = time.monotonic()
    for step in train(settings):
        if step.loss is not None:
            losses.append(step.loss)
        if step.weights:
            kept.append(step)
        if step.number == settings.steps or time.monotonic() - told >= every:
            yield _run(settings, vocabulary, losses, kept)
            told = time.monotonic()


@lru_cache(maxsize=64)
def beginning(settings: TrainingSettings) -> Run:
    """The run at step 0, before anything is learned. Raises EmbedvizError as `train` does."""
    return next(follow(settings))


def _run(
    settings: TrainingSettings, vocabulary: tuple[str, ...], losses: list[float], steps: list[TrainingStep]
) -> Run:
    snapshots = [step.weights or {} for step in steps]
    tables = ([each[f"{name}_embedding.weight"] for each in snapshots] for name in ("token", "position"))
    arrays = (
        np.array(losses, np.float32),
        np.array([step.number for step in steps], np.int64),
        np.array([step.held_out for step in steps], np.float32),
        *map(np.stack, tables),
    )
    weights = {name: read_only(values) for name, values in snapshots[-1].items()}
    return Run(settings, vocabulary, *map(read_only, arrays), weights=weights)


def pack(run: Run) -> bytes:
    """Pack a run as a safetensors file. It holds the weights under the names that PyTorch gives them."""
    tensors = {name: getattr(run, name) for name in _ARRAYS} | dict(run.weights)
    about = {"settings": asdict(run.settings), "vocabulary": run.vocabulary}
    # The metadata are one entry, since safetensors writes several entries in an order that changes.
    return safetensors.save(tensors, {"run": json.dumps(about)})


def unpack(data: bytes) -> Run:
    """Read the Run from what `pack` has made."""
    length = int.from_bytes(data[:8], "little")
    about = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["run"])
    weights = {name: read_only(values) for name, values in safetensors.load(data).items()}
    arrays = [weights.pop(name) for name in _ARRAYS]
    return Run(TrainingSettings(**about["settings"]), tuple(about["vocabulary"]), *arrays, weights=weights)
