"""Lookup: what does an embedding layer do?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.lookup.mistakes import mistakes
from pages.lookup.one_hot import one_hot
from pages.lookup.positions import positions
from pages.lookup.rows import rows
from pages.lookup.settings import table_settings
from pages.lookup.sizes import sizes

OF_THE_TABLE = {"rows": rows, "one-hot": one_hot, "mistakes": mistakes}
VIEWS = OF_THE_TABLE | {"positions": positions, "sizes": sizes}

page = st.container(gap="xsmall")
with page:
    title, *columns = st.columns([3, 1, 1, 1], vertical_alignment="bottom")
    messages = st.container()
    view = view_of(_("Show"), VIEWS, key="show")
with title:
    ui.title(_("An embedding layer is a lookup"), _("An ID picks a row of a table. Nothing is computed."))
with page:
    # Sums have numbers of their own; the fields stand above them all the same.
    table = () if view == "sizes" else table_settings(columns, messages)
    VIEWS[view](*(table if view in OF_THE_TABLE else ()))
