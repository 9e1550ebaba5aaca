"""Trained on short texts, used on long ones: what each scheme has at positions and distances it never met."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from embedviz import positions
from embedviz.checks import check_whole
from embedviz.relative import N_HEADS

MAX_LENGTH = 2048


class State(IntEnum):
    """What a scheme has for a position or a distance back."""

    SEEN = 0  # met in training
    AGAIN = 1  # not met, but treated like one that was
    FORMULA = 2  # a value of the formula that training never used
    UNTRAINED = 3  # a learned row that training never touched
    MISSING = 4  # nothing: an error


@dataclass(frozen=True)
class Reach:
    """One scheme after training on `trained` tokens, used on `used`, with a causal mask.

    states: a State for every position, for the schemes that add, or every distance back, 0 to used - 1; uint8.
    number: what is worth counting. MISSING positions of "learned"; the distance from the nearest seen
        vector, at least, of "sinusoidal" and "transformer_xl" (0 if all are seen); AGAIN distances of
        "shaw"; buckets never trained of "t5"; rows never trained of "deberta"; pairs of dimensions that
        have not gone full circle in training of "rope"; the lowest bias of the head with the steepest
        slope of "alibi".
    """

    name: str
    states: np.ndarray
    number: float


def reaches(trained: int, used: int, output_dim: int) -> list[Reach]:
    """What every scheme but "none" does; D is output_dim, which N_HEADS must divide into even heads.

    Raises EmbedvizError unless 1 <= trained, used <= MAX_LENGTH.
    """
    check_whole("trained", trained, 1, MAX_LENGTH)
    check_whole("used", used, 1, MAX_LENGTH)
    every = np.arange(used)
    frequencies = positions.sinusoidal.frequencies(output_dim // N_HEADS)
    missing, formula = (_beyond(every, trained, state) for state in (State.MISSING, State.FORMULA))
    apart = _apart(trained, used, output_dim)
    shaw = _looked_up(positions.shaw.index(-every), trained)
    buckets, rows = positions.t5.bucket(-every, bidirectional=False), positions.deberta.delta(every)
    t5, deberta = _looked_up(buckets, trained), _looked_up(rows, trained)
    return [
        Reach("learned", missing, int((missing == State.MISSING).sum())),
        Reach("sinusoidal", formula, apart),
        Reach("shaw", shaw, int((shaw == State.AGAIN).sum())),
        Reach("transformer_xl", formula, apart),
        Reach("t5", t5, len(np.unique(buckets[t5 == State.UNTRAINED]))),
        Reach("deberta", deberta, len(np.unique(rows[deberta == State.UNTRAINED]))),
        Reach("rope", formula, int((frequencies * (trained - 1) < 2 * np.pi).sum())),
        Reach("alibi", formula, float(-positions.alibi.slopes(N_HEADS)[0] * (used - 1))),
    ]


def _beyond(every: np.ndarray, trained: int, state: State) -> np.ndarray:
    return np.where(every < trained, State.SEEN, state).astype(np.uint8)


def _looked_up(rows: np.ndarray, trained: int) -> np.ndarray:
    """The states of distances, each of which looks this row of a table up."""
    known = np.where(np.isin(rows, rows[:trained]), State.AGAIN, State.UNTRAINED)
    return np.where(np.arange(len(rows)) < trained, State.SEEN, known).astype(np.uint8)


def _apart(trained: int, used: int, output_dim: int) -> float:
    """How far the nearest seen sinusoidal vector is from an unseen one, at least.

    The distance of two of them depends on how far apart they stand, and so an unseen position p is as near
    to the seen ones as the vector 0 is to the vectors p - trained + 1 to p.
    """
    table = positions.sinusoidal.table(used, output_dim, dtype=np.float64)
    away = np.linalg.norm(table - table[:1], axis=1)  # (used,), from position 0
    return float(away[1:].min()) if used > trained else 0.0
