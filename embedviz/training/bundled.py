"""The finished runs that lie in `data/training`, each the first of SEEDS, and what the runs of all seeds answer."""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from embedviz.base import data_files
from embedviz.text import samples
from embedviz.training.run import Run, unpack
from embedviz.training.train import TrainingSettings

SEEDS = (1, 2, 3, 4, 5)  # all that were tried
BUNDLED = {
    "learned": TrainingSettings(),
    "rope": TrainingSettings(positions="rope"),
    "none": TrainingSettings(positions="none"),
    "none_2_layers": TrainingSettings(positions="none", n_layers=2),
    "shuffled": TrainingSettings(shuffled=True),
}
TRIED = "training/seeds.json"


def bundled(settings: TrainingSettings) -> Run | None:
    """The run with these settings, or None if it is not one of the finished runs."""
    name = next((name for name, known in BUNDLED.items() if known == settings), None)
    return _read(name) if name else None


@cache
def _read(name: str) -> Run:
    return unpack(samples.training(name))


@cache
def tried() -> Mapping[str, Mapping[str, Sequence[Sequence[int]]]]:
    """How many unseen questions a run answers right, and how many with the other noun: for each of SEEDS.

    By the names of BUNDLED, and by those of `answers.RECORDED`.
    """
    return json.loads(data_files.read(TRIED))
