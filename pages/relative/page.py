"""Relative: what does attention do with a distance?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.relative.settings import head_settings, lengths, sentence, sentence_and_reach
from pages.relative.views import VIEWS

page = st.container(gap="xsmall")
with page:
    title, which, more = st.columns([5, 1, 1], vertical_alignment="bottom")
    left, right = st.columns([3.2, 3], vertical_alignment="bottom")
with title:
    ui.title(
        _("Where it stands, or how far away"), _("Nine ways to tell attention, on one sentence, with random matrices.")
    )
settings, head = head_settings(which, more)
with left:
    view = view_of(_("Show"), VIEWS, key="relative")
with right:
    if view == "schemes":
        needed = ()
    elif view == "lengths":
        needed = (*lengths(), settings["output_dim"])
    elif view == "distance":
        needed = sentence_and_reach(settings, head)
    else:
        needed = (sentence(settings, head),)
with page:
    VIEWS[view](*needed)
