"""Tour: from text to input embeddings, step by step."""

import streamlit as st

from embedviz import ui
from embedviz.ui import touring


@ui.part
def tour() -> None:
    """The sentences, and the step that the reader is at."""
    touring.draw(touring.sentences())


with st.container(gap="xsmall"):
    tour()
