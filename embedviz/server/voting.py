"""The vote of a visitor's hall. Whoever has opened it sees and shows the counts, and finds it again after a reload."""

from collections.abc import Sequence
from hashlib import sha256
from urllib.parse import urljoin

import streamlit as st

from embedviz.base import metrics
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import language
from embedviz.base.settings import configured
from embedviz.base.votes.votes import Vote, votes
from embedviz.server.sessions import address_of
from embedviz.server.streamlit_inside import browser
from embedviz.ui import turns
from embedviz.ui.inputs.visitor import visitor

_PROBLEM = "vote_problem"


def hall(question: str, choices: Sequence[str]) -> tuple[str, Vote] | None:
    """Where phones find the visitor's own vote on this question, and how it stands; None if there is none."""
    with turns.release_lock(unless=not (_code() and configured().votes)):
        found = _own()
    if not found or [found.question, *found.choices] != [question, *choices]:
        return None
    return urljoin(st.context.url or "", f"vote/{_code()}"), found


def act(wanted: object, question: str, choices: Sequence[str]) -> None:
    """End the visitor's own vote, if there is one, and open another one if a button asks for that."""
    try:
        vote = Vote(question, choices, language(), _owner())
        if _own():
            votes().end(_code())
        if wanted == "open":
            address = address_of({"client": (st.context.ip_address or "", 0)})
            st.query_params["vote"] = votes().open(vote, address)
            metrics.votes_opened.inc()
    except EmbedvizError as error:
        st.session_state[_PROBLEM] = str(error)


def problem() -> str:
    """What kept the last press from being done, said once."""
    return st.session_state.pop(_PROBLEM, "")


def _code() -> str:
    return st.query_params.get("vote", "")


def _own() -> Vote | None:
    try:
        found = votes().look(_code()) if _code() else None
    except Unavailable as error:
        st.session_state[_PROBLEM], found = str(error), None
    return found if found and found.owner == _owner() else None


def _owner() -> str:
    return sha256(browser() or visitor().encode()).hexdigest()
