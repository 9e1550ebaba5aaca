"""Arrays that are shared between visitors, and so must not be written to."""

import numpy as np


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, which from now on raises ValueError for whoever writes to it."""
    array.flags.writeable = False
    return array
