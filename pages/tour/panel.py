"""The words of the tour, its questions, and the ways from step to step."""

from collections.abc import Callable
from typing import Any

from embedviz.ui.components.component import component

KEY = "tour_panel"

_PANEL = component(__name__)


def panel(*, on_go: Callable, on_answer: Callable, on_vote: Callable, **data: Any) -> None:
    """Show them. Under KEY a move is the trigger `go`, an answer `answer`, and `vote` what a vote is told to do.

    names: of all steps. step: from 1. heading, words: of the step, or its question and what one has to know; answers:
    to choose from, until the picture may be seen; then verdict: what came of it, and whether the reader was right, None
    if nobody was asked. note: below the words. stops: steps, from 1, on which the next move shows the picture first.
    turn: the number of the move that led here. present: whether this is for a projector. hall: whether answers are
    revealed and not given. vote: on the question, "running" or "over", or "". score: in words.
    """
    _PANEL(data, key=KEY, on_go_change=on_go, on_answer_change=on_answer, on_vote_change=on_vote)
