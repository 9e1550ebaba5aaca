"""Lookup: what does an embedding layer do?"""

import streamlit as st

from embedviz import ui
from embedviz.texts import _
from embedviz.ui import lookups

VIEWS = {
    "Rows": lookups.rows,
    "One-hot": lookups.one_hot,
    "Mistakes": lookups.mistakes,
    "Positions": lookups.positions,
}

page = st.container(gap="xsmall")
with page:
    title, *settings = st.columns([3, 1, 1, 1], vertical_alignment="bottom")
    messages = st.container()
    view = lookups.view()
with title:
    ui.title(_("An embedding layer is a lookup"), _("An ID picks a row of a table. Nothing is computed."))
with page:
    if view == "Sizes":
        lookups.sizes()
    else:
        VIEWS[view](*lookups.table_settings(settings, messages))
