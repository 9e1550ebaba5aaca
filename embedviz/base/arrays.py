"""Arrays that are shared between visitors, and so must not be written to."""

import numpy as np


def read_only(array: np.ndarray) -> np.ndarray:
    """Make the array read-only and return it. Writing to it raises ValueError from now on."""
    array.flags.writeable = False
    return array
