"""Relative: what does attention do with a distance?"""

import streamlit as st

from embedviz import ui
from embedviz.texts import _
from embedviz.ui import relative

page = st.container(gap="xsmall")
with page:
    title, head, more = st.columns([5, 1, 1], vertical_alignment="bottom")
    left, right = st.columns([3.2, 3], vertical_alignment="bottom")
with title:
    ui.title(
        _("Where it stands, or how far away"), _("Nine ways to tell attention, on one sentence, with random matrices.")
    )
chosen, number = relative.settings(head, more)
with left:
    view = relative.view()
with page:
    relative.draw(view, right, chosen, number)
