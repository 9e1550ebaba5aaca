"""The vote of a visitor's hall. Whoever has opened it sees and shows the counts, and finds it again after a reload."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urljoin

import streamlit as st

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import language
from embedviz.base.settings import configured
from embedviz.base.votes import Standing, Vote, opened, votes
from embedviz.server.streamlit_inside import browser
from embedviz.ui import turns
from embedviz.ui.visitor import visitor

_NAME = "vote"  # in the address, which holds the code
_PROBLEM = "vote_problem"


@dataclass(frozen=True)
class Hall:
    """A vote that this visitor has opened. address: where phones find it."""

    code: str
    standing: Standing

    @property
    def address(self) -> str:
        """Below that of the page, by the name by which the browser calls the site."""
        return urljoin(st.context.url or "", f"vote/{self.code}")


def hall(question: str, choices: Sequence[str]) -> Hall | None:
    """The visitor's own vote on this question; None if there is none."""
    code = st.query_params.get(_NAME, "") or st.session_state.get(_NAME, "")
    try:
        with turns.pause(unless=not (code and configured().votes)):
            found = _own(code)
    except Unavailable as error:
        st.session_state[_PROBLEM] = str(error)
        return None
    if not found or (found.vote.question, found.vote.choices) != (question, tuple(choices)):
        return None
    if st.query_params.get(_NAME) != code:  # the visitor was on another page meanwhile
        st.query_params[_NAME] = code
    return Hall(code, found)


def act(wanted: object, question: str, choices: Sequence[str]) -> None:
    """Do what a button asks for: open a vote, in the place of the one before, or end it."""
    code = st.query_params.get(_NAME, "") or st.session_state.get(_NAME, "")
    try:
        if wanted == "open":
            vote = Vote(question, tuple(choices), language(), _owner())
            if _own(code):
                votes().forget(code)
            code = opened(vote, st.context.ip_address or "")
            st.query_params[_NAME] = st.session_state[_NAME] = code
        elif wanted == "end" and _own(code):
            votes().end(code)
    except EmbedvizError as error:
        st.session_state[_PROBLEM] = str(error)


def problem() -> str:
    """What kept the last press from being done, said once."""
    return st.session_state.pop(_PROBLEM, "")


def _own(code: str) -> Standing | None:
    found = votes().look(code) if code else None
    return found if found and found.vote.owner == _owner() else None


def _owner() -> str:
    return sha256(browser() or visitor().encode()).hexdigest()
