"""Relative position representations (Shaw et al. 2018, section 3).

    score(i, j) = q_i . (k_j + aK[clip(j - i, -k, k)]) / sqrt(d)
    output(i)   = sum over j of weight(i, j) (v_j + aV[clip(j - i, -k, k)])

aK and aV are learned, 2k + 1 vectors each. Here all heads share them, as the paper proposes to save memory.
Beyond distance k all keys look equally far.
"""

import numpy as np
import torch

from embedviz.checks import check_whole
from embedviz.positions.like import A, array, like

MAX_DISTANCE = 16  # k; the paper tries 0 to 256 and finds little difference from 2 on


def index(relative_position: A, max_distance: int = MAX_DISTANCE) -> A:
    """The row of aK and aV, 0 to 2k, for every relative position, key - query; like the input.

    Raises EmbedvizError unless max_distance, k, is a whole number from 0.
    """
    check_whole("max_distance", max_distance, 0, 2**20)
    return like(np.clip(array(relative_position), -max_distance, max_distance) + max_distance, relative_position)


def table(max_distance: int, head_dim: int, generator: torch.Generator) -> torch.Tensor:
    """Untrained vectors aK or aV, standard normal, shape (2k + 1, d), float32."""
    return torch.empty(2 * max_distance + 1, head_dim).normal_(generator=generator)
