"""Projection mode: `?present=1` in the address, for a hall that looks at a screen from afar."""

import streamlit as st

from embedviz.ui.component import ASSETS

FILLING = "100%"  # the height of a figure that takes what the screen has left
_STYLE = (ASSETS / "present.css").read_text(encoding="utf-8")


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"


def style() -> str:
    """What the style sheet of the site gets in addition: nothing unless the mode is on."""
    return _STYLE if is_on() else ""


def height(usual: str) -> str:
    """The height of a figure: its usual one, or all that there is."""
    return FILLING if is_on() else usual
