"""Votes: a question of one's own for a hall, which answers by phone."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.base.votes import CHOICES, LONGEST
from embedviz.server import voting
from embedviz.ui.components.ballot.ballot import ballot
from pages.votes.guide import GUIDES

KEY = "ballot"
ROOM = "var(--ev-arrows, 60vh)"


def own(page: ui.Frame) -> None:
    """The fields, and below them what the projector shows: the choices, the way for phones, or the bars."""
    with page.inputs:
        question, choices = fields()
    hall = voting.hall(question, choices)
    with page.messages:
        if problem := voting.problem():
            ui.show_error(problem)
    with ui.slide(alone=True):
        ballot(
            choices,
            hall and hall.standing,
            hall.address if hall else "",
            key=KEY,
            height=ROOM,
            question=question,
            on_vote=lambda: voting.act(st.session_state[KEY].vote, question, choices),
        )


def fields() -> tuple[str, list[str]]:
    """The question, and its choices without empty lines."""
    usual = _("Can a model without positions tell “dog bites man” from “man bites dog”?")
    asked = ui.text_within(st.text_input, _("Question"), usual, LONGEST["question"], key="question")
    lines = _("Yes\nNo\nOnly if it has a causal mask")
    most = CHOICES[1] * (LONGEST["choice"] + 1)
    said = ui.text_within(st.text_area, _("Choices, one on each line"), lines, most, key="choices", height=110)
    return asked.strip(), [line.strip() for line in said.splitlines() if line.strip()]


ui.page("votes", _("Ask the hall"), {"": own}, GUIDES)
