"""Heads that turn only a part of their dimensions."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.models.architectures import ARCHITECTURES


@dataclass(frozen=True)
class Part:
    """How a model's heads are divided.

    model: its name in the table of models, whose last kind of layer is meant. first: the number of the first dimension
    that is turned. whole: whether the pairs are made within the whole head, so that the second half of each pair lies
    in the second half of the head; else they are made within the turned dimensions.
    """

    model: str
    first: int = 0
    whole: bool = False

    @property
    def sizes(self) -> tuple[int, int]:
        """How many dimensions are turned, and how many a head has."""
        return ARCHITECTURES[self.model].pattern[-1].turned

    @property
    def is_turned(self) -> np.ndarray:
        """Which of the dimensions are turned, bool (D,)."""
        turned, head_dim = self.sizes
        found = np.zeros(head_dim, bool)
        starts = (0, head_dim // 2) if self.whole else (self.first,)
        for start in starts:
            found[start : start + turned // len(starts)] = True
        return read_only(found)


PARTS = (
    Part("Llama 2 70B"), Part("Phi-1"), Part("GPT-NeoX-20B"), Part("DeepSeek-V3", first=128),
    Part("Gemma 4 31B", whole=True),
)  # fmt: skip
