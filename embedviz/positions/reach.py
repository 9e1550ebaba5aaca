"""What a scheme has at positions and distances that training never met."""

from collections.abc import Callable
from enum import IntEnum

import numpy as np


class State(IntEnum):
    """What a scheme has for a position or a distance back."""

    SEEN = 0  # met in training
    AGAIN = 1  # not met, but treated like one that was
    FORMULA = 2  # a value of the formula that training never used
    UNTRAINED = 3  # a learned row that training never touched
    MISSING = 4  # nothing: an error
    UNTOLD = 5  # nothing, and nothing is asked for: positions are left out


# One state for everything that training never met; or, for a scheme that looks rows up, a function from distances back
# to their rows, which goes up or down with the distance, or stays.
Reach = State | Callable[[np.ndarray], np.ndarray]


def states(reach: Reach, trained: int, places: np.ndarray) -> np.ndarray:
    """The State of positions or distances back, whole numbers (N,), after `trained` tokens and with a causal mask."""
    if reach is State.UNTOLD:
        return np.full(len(places), reach, np.uint8)
    if callable(reach):  # rows do not go back to what they were, so only the last one of the training comes again
        reach = np.where(reach(places) == reach(np.array([trained - 1])), State.AGAIN, State.UNTRAINED)
    return np.where(places < trained, State.SEEN, reach).astype(np.uint8)
