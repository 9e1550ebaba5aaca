"""DeBERTa's disentangled attention (He et al. 2020, section 3.1).

    score(i, j) = (Qc_i . Kc_j  +  Qc_i . Kr[delta(i, j)]  +  Kc_j . Qr[delta(j, i)]) / sqrt(3d)

    delta(i, j) = 0          if i - j <= -k
                  2k - 1     if i - j >= k
                  i - j + k  otherwise

Content to content, content to position, position to content; the published code looks Qr up at
delta(i, j), which is the paper's with the rows of Qr in the other order. Kr = P W_kr and Qr = P W_qr,
where P holds 2k learned vectors that all layers share. The 3 under the root is the number of terms.
"""

import numpy as np
import torch

from embedviz.checks import check_whole
from embedviz.positions.like import A, array, like

MAX_DISTANCE = 512  # k, the paper's


def delta(distance: A, max_distance: int = MAX_DISTANCE) -> A:
    """The row of P, 0 to 2k - 1, for every i - j, query - key; like the input.

    Raises EmbedvizError unless max_distance, k, is a whole number from 1.
    """
    check_whole("max_distance", max_distance, 1, 2**20)
    return like(np.clip(array(distance) + max_distance, 0, 2 * max_distance - 1), distance)


def table(max_distance: int, output_dim: int, generator: torch.Generator) -> torch.Tensor:
    """Untrained vectors P, standard normal, shape (2k, D), float32."""
    return torch.empty(2 * max_distance, output_dim).normal_(generator=generator)
