"""What a scheme has at positions and distances that training never met."""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Reach:
    """One scheme after training on `trained` tokens, used on `used`, with a causal mask.

    states: a State for every position, for the schemes that add, or every distance back, 0 to used - 1; uint8.
    number: a count or measure; the scheme's `told` says what it is. seen: the same within the trained length, if the
        number goes on from there; else None.
    """

    states: np.ndarray
    number: float
    seen: float | None = None


def beyond(trained: int, used: int, state: State) -> np.ndarray:
    """The states if everything that training never met has this one state, uint8 (used,)."""
    return np.where(np.arange(used) < trained, State.SEEN, state).astype(np.uint8)


def looked_up(rows: np.ndarray, trained: int) -> np.ndarray:
    """The states of distances 0 to used - 1, where rows, (used,), holds the table row that each one looks up."""
    known = np.where(np.isin(rows, rows[:trained]), State.AGAIN, State.UNTRAINED)
    return np.where(np.arange(len(rows)) < trained, State.SEEN, known).astype(np.uint8)


def untrained(rows: np.ndarray, trained: int) -> Reach:
    """The reach of a scheme that looks these rows up. Its number counts the rows that training never touched."""
    states = looked_up(rows, trained)
    return Reach(states, len(np.unique(rows[states == State.UNTRAINED])))
