"""Positions: what is added to a token vector?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.positions import views
from pages.positions.settings import table_settings

with st.container(gap="xsmall"):
    title, *sizes, more = st.columns([3.2, 1, 1.1, 1.1, 0.9], vertical_alignment="bottom")
    messages = st.container()
    with title:
        ui.title(
            _("A vector for each position"),
            _("Learned, sines and cosines, or simply p/L: what is added to the tokens."),
        )
    settings = table_settings(sizes, more, messages)
    view = view_of(_("Show"), views.VIEWS, key="view")
    ui.part(views.draw)(view, settings)
