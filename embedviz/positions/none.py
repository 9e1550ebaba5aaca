"""No positions: every vector stays as it is in the table of its token ID."""

import numpy as np

from embedviz.base.i18n import N_
from embedviz.positions.scheme import Scheme


def table(context_length: int, output_dim: int) -> np.ndarray:
    """Zeros of shape (L, D), float32."""
    return np.zeros((context_length, output_dim), np.float32)


SCHEME = Scheme(name="none", title=N_("None"), kind="none", paper="Haviv et al. 2022", seen_in="attention/order")
