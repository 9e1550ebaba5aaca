"""A source that cannot be read now: what went wrong, what works without it, and a way to try again."""

from typing import NoReturn

import streamlit as st

from embedviz import pretrained
from embedviz.errors import Unavailable
from embedviz.texts import _
from embedviz.ui.literal import literal


def unavailable(error: Unavailable, source: str) -> NoReturn:
    """Say so where the result would be, and stop the page there; what was typed stays."""
    message, again = st.columns([5.2, 1], vertical_alignment="center")
    with message:
        st.error(
            literal(_("{error} The sources random and trained (under More) need no network.", error=error)),
            icon=":material/cloud_off:",
        )
    with again:
        st.button(
            _("Try again"),
            key="try_again",
            icon=":material/refresh:",
            on_click=pretrained.retry,
            args=(source,),
            width="stretch",
        )
    st.stop()
