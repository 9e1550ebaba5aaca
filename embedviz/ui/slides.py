"""What stands on the slides of projection. A page says it where it draws its view; assets/page/slides.js shows it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.ui import presenting


def slide(name: str = "", *, alone: bool = False, brief: bool = False, whole: bool = False) -> DeltaGenerator:
    """Return the place for what stands together on one slide; to be used in a `with` statement.

    A view's slides come in the order of the page. Whatever a page says outside of them, such as its findings, is shown
    beside the first of them, one at a time. name: what tells it from the other slides of the view, if there are any.
    alone: True if what stands here needs the window for itself, as names on many rows do: then no finding is shown
    beside it. brief: True if of the findings only their titles are shown, each beside the first of these pictures.
    whole: True if all that stands here is one idea, findings too. Slides within it come after it, each with a part of
    it.
    """
    how = "alone_" if alone else "brief_" if brief else "whole_" if whole else ""
    return st.container(key=f"frame_slide_{how}{name}", gap="xsmall")


def on_every_slide(name: str = "") -> DeltaGenerator:
    """Return the place for what moves the pictures of a view, or asks for them; to be used in a `with` statement.

    It is on every slide but those with a finding, where the picture needs the room. name: as that of a slide.
    """
    return st.container(key=f"frame_always_{name}", gap="xsmall")


def aside(text: str) -> None:
    """Show a caption that is on no slide, since only a reader has the time for it."""
    if not presenting.is_on():
        st.caption(text)
