"""Votes: a question of one's own for a hall, which answers by phone."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.base.votes import CHOICES
from embedviz.server import voting
from embedviz.ui.components.ballot.ballot import ballot
from pages.votes.guide import GUIDES

KEY = "ballot"
MOST = 500  # characters of the question, and of all choices together


def own(page: ui.Frame) -> None:
    """The fields, and below them what the projector shows: the choices, the way for phones, or the bars."""
    with page.inputs:
        usual = _("Can a model without positions tell “dog bites man” from “man bites dog”?")
        question = ui.text_within(st.text_input, _("Question"), usual, MOST, key="question").strip()
        usual = _("Yes\nNo\nOnly if it has a causal mask")
        lines = ui.text_within(st.text_area, _("Choices, one on each line"), usual, MOST, key="choices", height=110)
    choices = [line.strip() for line in lines.splitlines() if line.strip()]
    with page.settings():  # a sheet that is closed, so that the hall does not see it
        right = ui.whole_number(_("Number of the right choice"), 0, CHOICES[1], None, key="right")
    hall = voting.hall(question, choices)
    with page.messages:
        if problem := voting.problem():
            ui.show_error(problem)
    with ui.slide(whole=True):
        acts = {"on_vote_change": lambda: voting.act(st.session_state[KEY].vote, question, choices)}
        height = "var(--ev-ballot, 46vh)"
        ballot(hall, key=KEY, acts=acts, right=right, question=question, choices=choices, height=height)


ui.page("votes", _("Ask the hall"), {"": own}, GUIDES)
