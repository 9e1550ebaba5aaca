"""The question that comes before each change: what will the model answer? The page shows the change after that."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.text.visible import visible
from embedviz.ui import presenting
from embedviz.ui.inputs.fields import BOUND, one_of
from embedviz.ui.inputs.options import OPTIONS, label_of
from embedviz.ui.messages import literal

AS_TRAINED = "on"
_ASKED = "asked"  # in the address: the changes after whose question the visitor has seen the answer


def change_field(place: DeltaGenerator, offered: Sequence[str]) -> str:
    """Let the visitor choose what is done to the positions: the name of one of OPTIONS["positions"]."""
    chosen = one_of(
        _("Positions"),
        offered,
        key="positions",
        default=AS_TRAINED if AS_TRAINED in offered else offered[0],
        place=place,
        label_visibility="collapsed",
    )
    return chosen if len(offered) > 1 else AS_TRAINED  # nothing to guess where nothing can be changed


def share_field(place: DeltaGenerator) -> float:
    """Let the visitor say how far two exchanged positions have come."""
    if presenting.is_at_station():
        return 1.0
    with place, ui.on_every_slide("way"):
        label, bare = _("How far the two positions have come"), "collapsed" if presenting.is_on() else "visible"
        return st.slider(label, 0.0, 1.0, 1.0, 0.05, key="way", label_visibility=bare, **BOUND)


def is_open(change: str) -> bool:
    """True if nobody has been asked about this change yet. The model as it was trained is shown at once."""
    return change != AS_TRAINED and change not in _answered()


def question(change: str) -> ui.Card:
    """What is asked, as the headline."""
    return ui.Card(_("{change}: what will the model answer for A?", change=label_of("positions")(change)), "")


def ask(change: str, words: Sequence[str], about: object) -> None:
    """Show a button for each answer; in projection, where many answer, one that shows the change.

    words: those that can be expected, of which there are one or two. about: whatever else decides what is right, such
    as the model.
    """
    if presenting.is_at_station():
        return
    with (
        ui.on_every_slide("question", by_key=True),
        st.container(horizontal=True, vertical_alignment="center", key="question"),
    ):
        if presenting.is_on():
            st.button(_("Show the answer"), type="primary", on_click=_take_guess, args=(change,))
            return
        labels = [literal(visible(word)) for word in words]
        other = _("neither of them") if len(words) > 1 else _("another word")
        for n, (label, answer) in enumerate(zip([*labels, other], [*words, other], strict=True)):
            st.button(label, key=f"guess_{n}", on_click=_take_guess, args=(change, (change, about), answer))


def guess(change: str, about: object) -> str | None:
    """What the visitor has answered, if it was asked about the same."""
    subject, answer = st.session_state.get("guess", (None, None))
    return answer if subject == (change, about) else None


def next_change_button(change: str, offered: Sequence[str]) -> None:
    """In projection, which has no other controls: a button that takes the positions away, as a key does."""
    if presenting.is_on() and change == AS_TRAINED and "off" in offered and not presenting.is_at_station():
        with ui.on_every_slide("next", by_key=True):
            label = _("Next: {change}", change=label_of("positions")("off"))
            st.button(label, icon=":material/arrow_forward:", on_click=_choose, args=("off",))


def _choose(change: str) -> None:
    st.session_state["positions"] = change


def _answered() -> list[str]:
    named = st.query_params.get(_ASKED, "").split(".")
    return [change for change in OPTIONS["positions"] if change in named]


def _take_guess(change: str, subject: object = None, answer: str | None = None) -> None:
    st.query_params[_ASKED] = ".".join([*_answered(), change])
    st.session_state["guess"] = (subject, answer)
