"""How far beyond the texts of its training a small GPT still answers, under each position scheme: measured.

The program of the view "How far" (`programs/far.py`) is what has measured it.
"""

import json
from dataclasses import dataclass
from functools import cache

import numpy as np

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.text import grammar
from embedviz.training.model import Shape

TRAINED = 32  # tokens of every text that is learned from
LENGTHS = (16, 24, 32, 48, 64, 96, 128, 192, 256)
SEEDS = (1, 2, 3, 4, 5)
BATCH_SIZE, LEARNING_RATE = 32, 4e-3
WARM_UP = 100  # steps in which the rate rises; after them it falls to a tenth
SHAPE = Shape(len(grammar.VOCABULARY), TRAINED, 64, n_layers=2)
SCHEMES = ("none", "learned", "sinusoidal", "t5", "rope", "alibi")  # each trained on its own
STRETCHED = ("rope_linear", "rope_ntk")  # what RoPE has learned, stretched for texts that are longer than its training
LINES = (*SCHEMES, *STRETCHED)
USUAL_STEPS, MORE_STEPS = 2500, 4000  # of the training; more where a seed had not learned the task after the usual ones
STEPS = dict.fromkeys(SCHEMES, USUAL_STEPS) | {"sinusoidal": MORE_STEPS}
LEAST = 0.95  # of the questions at the trained length: a model that answers fewer has not learned the task
N_ITEMS = 10_000  # questions of the text that is learned from, one after the other
SINUSOIDAL_SIZE = 0.02 * 2**0.5  # so that sines are as large on average as the first numbers of a learned table
T5_BUCKETS, T5_MAX_DISTANCE = 16, 16  # so few that the last range is met in texts of 32 tokens, as it is in a real T5
FILE = "far.json"


@dataclass(frozen=True)
class Far:
    """What was measured of a line: read-only float32 arrays (len(SEEDS), len(LENGTHS)), NaN past a table's end.

    right: the share of questions that are answered right. loss: that of the answer, in nats.
    """

    right: np.ndarray
    loss: np.ndarray

    @property
    def learned(self) -> np.ndarray:
        """Whether the model of each seed has learned the task, bool (len(SEEDS),)."""
        return self.right[:, LENGTHS.index(TRAINED)] >= LEAST


@cache
def measured() -> dict[str, Far]:
    """What `python -m embedviz.programs.schemes.far` has measured, by the names of LINES."""
    kept = json.loads(data_files.read(FILE))
    return {line: Far(*(read_only(np.array(kept[line][of], np.float32)) for of in ("right", "loss"))) for line in LINES}
