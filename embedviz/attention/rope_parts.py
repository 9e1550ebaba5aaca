"""Heads that turn only a part of their dimensions, and what this makes of a score."""

from dataclasses import dataclass

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice
from embedviz.positions.rope import turned_apart
from embedviz.positions.rope_frequencies import frequencies

REACH = 128  # the largest distance, in tokens
SEED = 123


@dataclass(frozen=True)
class Part:
    """How a model's heads are divided, as its config in transformers 5.23 states it.

    first: the number of the first dimension that is turned. turned: how many are. base: RoPE's. whole: whether the
    pairs are made within the whole head ("proportional"), so that the second half of each pair lies in the second half
    of the head; else they are made within the turned dimensions.
    """

    model: str
    head_dim: int
    turned: int
    base: float
    first: int = 0
    whole: bool = False

    @property
    def is_turned(self) -> np.ndarray:
        """Which of the dimensions are turned, bool (D,)."""
        found = np.zeros(self.head_dim, bool)
        starts = (0, self.head_dim // 2) if self.whole else (self.first,)
        for start in starts:
            found[start : start + self.turned // len(starts)] = True
        return read_only(found)

    @property
    def exponent_dim(self) -> int:
        """The number of dimensions d in the speeds base^(-2k / d)."""
        return self.head_dim if self.whole else self.turned


PARTS = {
    "all": Part("Llama 2", 128, 128, 10_000.0),
    "half": Part("Phi-1", 64, 32, 10_000.0),
    "quarter": Part("GPT-NeoX", 96, 24, 10_000.0),
    "split": Part("DeepSeek-V3", 192, 64, 10_000.0, first=128),
    "proportional": Part("Gemma 4", 512, 128, 1_000_000.0, whole=True),
}


@dataclass(frozen=True)
class PartScores:
    """The score of a random query and a random key, over the distance between them.

    back: how many tokens earlier the key stands, query - key, whole numbers (S,). turned: the share of the score that
    comes from the turned dimensions, float32 (S,). still: the share of the others. total: their sum, float32 (S,).
    """

    back: np.ndarray
    turned: np.ndarray
    still: float
    total: np.ndarray


def part_scores(name: str) -> PartScores:
    """The scores of the part of this name, divided by the square root of the head's dimensions.

    Query and key are normal numbers of standard deviation 1 from a generator of seed SEED. Raises EmbedvizError for
    another name.
    """
    check_choice("partial", name, tuple(PARTS))
    part = PARTS[name]
    generator = torch.Generator().manual_seed(SEED)
    query, key = torch.randn(2, part.head_dim, generator=generator).double().numpy()
    back = np.arange(REACH + 1)
    root = part.head_dim**0.5
    still = float(query[~part.is_turned] @ key[~part.is_turned]) / root
    query, key = query[None, part.is_turned], key[None, part.is_turned]
    turned = turned_apart(query, key, -back, speeds(part).astype(np.float64))[0] / root
    return PartScores(back, read_only(turned.astype(np.float32)), still, read_only((turned + still).astype(np.float32)))


def speeds(part: Part) -> np.ndarray:
    """The radians by which each turned pair turns at each position, float32 (turned / 2,)."""
    if not part.whole:
        return frequencies(part.turned, part.base)[0]
    scaling = {"rope_type": "proportional", "partial_rotary_factor": part.turned / part.head_dim}
    return frequencies(part.head_dim, part.base, scaling)[0][: part.turned // 2]
