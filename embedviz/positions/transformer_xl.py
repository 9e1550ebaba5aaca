"""Transformer-XL's relative positions (Dai et al. 2019, section 3.3).

    score(i, j) = (q_i . k_j  +  q_i . r  +  u . k_j  +  v . r) / sqrt(d),   r = W_R R[i - j]

R[i - j] is the sinusoidal vector of the distance, not learned; W_R, u and v are. The four terms: content,
content against distance, a bias of the key's content, a bias of the distance.
"""

import numpy as np

from embedviz.errors import EmbedvizError
from embedviz.positions.sinusoidal import frequencies
from embedviz.texts import _


def vectors(distance: np.ndarray, output_dim: int, dtype: type = np.float32) -> np.ndarray:
    """R of every distance i - j, of any shape (...): shape (..., D), the sines before the cosines, as in
    the authors' code. A key that comes later has a negative distance.

    Computed in float64 and rounded once to `dtype`. Raises EmbedvizError if output_dim is odd.
    """
    if output_dim < 2 or output_dim % 2:
        raise EmbedvizError(
            _(
                "Transformer-XL's relative vectors need an even output_dim, a sine and a cosine each; "
                "{output_dim} is not. Try {better}.",
                output_dim=output_dim,
                better=max(output_dim + output_dim % 2, 2),
            )
        )
    angles = np.multiply.outer(np.asarray(distance, np.float64), frequencies(output_dim))  # (..., D/2)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).astype(dtype)
