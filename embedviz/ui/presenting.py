"""Projection mode: `?present=1` in the address, for a hall that looks at a screen from afar."""

import streamlit as st

from embedviz.ui.component import ASSETS

_STYLE = (ASSETS / "present.css").read_text(encoding="utf-8")


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"


def style() -> str:
    """What the style sheet of the site gets in addition: nothing unless the mode is on."""
    return _STYLE if is_on() else ""


def height(usual: str, filling: str = "100%") -> str:
    """The height of a figure: its usual one, or in projection all that the screen has left."""
    return filling if is_on() else usual
