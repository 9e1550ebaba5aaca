"""The question that comes before each change: what will the model answer? The page shows the change after that."""

from collections.abc import Sequence

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.training.answers import CHANGES
from embedviz.ui import presenting
from embedviz.ui.options import label_of

_ASKED = "asked"  # in the address: the changes that have been shown


def is_open(change: str) -> bool:
    """True if nobody has been asked about this change yet. The model as it was trained is shown at once."""
    return change != CHANGES[0] and change not in _asked()


def ask(change: str, nouns: Sequence[str], about: object) -> None:
    """Show the question and a button for each answer; in projection, where many answer, one that shows the change.

    about: whatever else decides what is right, such as the model.
    """
    with (
        ui.on_every_slide("question", by_key=True),
        st.container(horizontal=True, vertical_alignment="center", key="question"),
    ):
        said = _("**{change}: what will the model answer for A?**", change=label_of("placed")(change))
        st.caption(said, width="content")
        if presenting.is_on():
            st.button(_("Show the answer"), type="primary", on_click=_note, args=(change,))
            return
        for n, said in enumerate((*nouns, _("neither of them"))):
            st.button(said, key=f"guess_{n}", on_click=_note, args=(change, (change, about), said))


def guess(change: str, about: object) -> str | None:
    """What the visitor has answered, if it was asked about the same."""
    asked, said = st.session_state.get("guess", (None, None))
    return said if asked == (change, about) else None


def go_on(change: str) -> None:
    """In projection, which has no other controls: a button that goes on to the next change."""
    if presenting.is_on():
        following = CHANGES[(CHANGES.index(change) + 1) % len(CHANGES)]
        with ui.on_every_slide("next"):
            label = _("Next: {change}", change=label_of("placed")(following))
            st.button(label, icon=":material/arrow_forward:", on_click=_choose, args=(following,))


def _choose(change: str) -> None:
    st.session_state["placed"] = change


def _asked() -> list[str]:
    named = st.query_params.get(_ASKED, "").split(".")
    return [change for change in CHANGES if change in named]


def _note(change: str, asked: object = None, said: str | None = None) -> None:
    st.query_params[_ASKED] = ".".join([*_asked(), change])
    st.session_state["guess"] = (asked, said)
