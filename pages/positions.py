"""Positions: what is added to a token vector?"""

import streamlit as st

from embedviz import ui
from embedviz.texts import _
from embedviz.ui import absolute_views, absolutes

with st.container(gap="xsmall"):
    title, *sizes, more = st.columns([3.2, 1, 1.1, 1.1, 0.9], vertical_alignment="bottom")
    messages = st.container()
    with title:
        ui.title(
            _("A vector for each position"),
            _("Learned, sines and cosines, or simply p/L: what is added to the tokens."),
        )
    settings = absolutes.settings(sizes, more, messages)
    view = absolutes.view()
    ui.part(absolute_views.draw)(view, settings)
