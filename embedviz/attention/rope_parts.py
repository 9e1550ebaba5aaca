"""Heads that turn only a part of their dimensions."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only


@dataclass(frozen=True)
class Part:
    """How a model's heads are divided, as its config in transformers 5.23 states it.

    first: the number of the first dimension that is turned. turned: how many are. whole: whether the pairs are made
    within the whole head, so that the second half of each pair lies in the second half of the head; else they are made
    within the turned dimensions.
    """

    model: str
    head_dim: int
    turned: int
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


PARTS = (
    Part("Llama 2", 128, 128),
    Part("Phi-1", 64, 32),
    Part("GPT-NeoX", 96, 24),
    Part("DeepSeek-V3", 192, 64, first=128),
    Part("Gemma 4", 512, 128, whole=True),
)
