"""The words of the tour, its questions, and the ways from step to step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from embedviz.ui.components.shared.component import component

KEY = "tour_panel"

_PANEL = component(__name__)


@dataclass(frozen=True)
class Panel:
    """What the panel shows.

    step: from 1. heading, words: of the step, or its question and what one has to know; answers: to choose from, until
    the picture may be seen; then verdict: what came of it, and whether the reader was right, None if nobody was asked.
    stops: steps, from 1, on which the next move shows the picture first. turn: the number of the move that led here.
    """

    names: Sequence[str]
    step: int
    present: bool
    heading: str
    words: str
    note: str
    answers: Sequence[str]
    verdict: dict | None
    stops: Sequence[int]
    score: str
    turn: int


def panel(shown: Panel, *, on_go: Callable[[], None], on_answer: Callable[[], None]) -> None:
    """Show it. A move is the trigger `go`, an answer the trigger `answer`, both under KEY."""
    _PANEL(vars(shown), key=KEY, on_go_change=on_go, on_answer_change=on_answer)
