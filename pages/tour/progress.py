"""How far the reader of the tour is: the step in the address, the answers, and what was revealed in projection."""

import streamlit as st

from embedviz.base.i18n import _
from embedviz.server import voting
from embedviz.ui import presenting
from pages.tour.panel import KEY
from pages.tour.questions import Question
from pages.tour.steps import STEPS, Step
from pages.tour.story import Story


def number() -> int:
    """Which step the address names, from 1; the first if it names none."""
    named = st.query_params.get("view", "")
    return next((n for n, step in enumerate(STEPS, 1) if step.key == named), 1)


def _is_step(n: object) -> bool:
    return type(n) is int and 1 <= n <= len(STEPS)


def is_open(step: Step, in_hall: bool) -> bool:
    """True if the picture of a step with a question may be seen. in_hall: where it is revealed, and nobody answers."""
    return step.key in (_revealed() if in_hall else _answers())


def stops(story: Story, in_hall: bool) -> list[int]:
    """Return the steps, from 1, whose question is still open: in projection all, else the one that a hall votes on."""
    here = range(1, len(STEPS) + 1) if presenting.is_on() else [number()] * in_hall
    return [n for n in here if STEPS[n - 1].is_asked(story) and STEPS[n - 1].key not in _revealed()]


def verdict(step: Step, question: Question, in_hall: bool) -> dict | None:
    """What came of a question: the answer, and whether the reader was right, None if nobody was asked."""
    right = question.answers[question.right]
    if in_hall:
        return {"text": _("Answer: {right}.", right=right), "right": None}
    text, chosen, was_right = _answers()[step.key]
    if text != question.text:  # it was asked about other sentences
        return None
    judgement = (
        _("Right: “{right}”.", right=right)
        if was_right
        else _("You said “{chosen}”. Right is “{right}”.", chosen=chosen, right=right)
    )
    return {"text": judgement, "right": was_right}


def score() -> str:
    """How many answers were right so far."""
    answers = _answers().values()
    n_right = sum(was_right for *_asked, was_right in answers)
    return _("{n_right} of {n} right", n_right=n_right, n=len(answers)) if answers else ""


def _answers() -> dict[str, tuple[str, str, bool]]:
    """Return, for each step, what was asked, what the reader answered, and whether the answer was right."""
    return st.session_state.setdefault("tour_answers", {})


def _revealed() -> set[str]:
    """The steps whose picture was revealed in projection."""
    return st.session_state.setdefault("tour_revealed", set())


def go() -> None:
    """Move to where the browser wants, if there is such a step."""
    wanted = getattr(st.session_state.get(KEY), "go", None)
    if not isinstance(wanted, dict):
        return
    n, opened, turn = wanted.get("step"), wanted.get("opened"), wanted.get("turn")
    if isinstance(n, int) and _is_step(n):
        st.query_params["view"] = STEPS[n - 1].key
    if isinstance(opened, list):
        _revealed().update(STEPS[each - 1].key for each in opened if _is_step(each))
    if type(turn) is int:
        st.session_state["tour_turn"] = turn


def turn() -> int:
    """The number of the move that led here."""
    return st.session_state.get("tour_turn", 0)


def vote(question: Question) -> None:
    """Open a vote on a question, or end it."""
    voting.act(getattr(st.session_state.get(KEY), "vote", None), question.text, question.answers)


def answer(story: Story) -> None:
    """Note an answer. Only the first answer to a question counts."""
    given = getattr(st.session_state.get(KEY), "answer", None)
    if not isinstance(given, dict):
        return
    n, choice = given.get("step"), given.get("choice")
    if n != number() or type(choice) is not int:
        return
    step = STEPS[number() - 1]
    question = step.asked(story)
    if question and 0 <= choice < len(question.answers):
        _answers().setdefault(step.key, (question.text, question.answers[choice], choice == question.right))
