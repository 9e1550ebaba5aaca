"""No positions: every vector stays as its token ID left it."""

import numpy as np

from embedviz.base.i18n import N_
from embedviz.positions.scheme import Scheme


def table(context_length: int, output_dim: int) -> np.ndarray:
    """Zeros of shape (L, D), float32."""
    return np.zeros((context_length, output_dim), np.float32)


SCHEME = Scheme(name="none", title=N_("None"), kind="none")
