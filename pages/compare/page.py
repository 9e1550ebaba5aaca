"""Compare: where does word order enter?"""

from dataclasses import fields

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.inputs import sentences
from embedviz.vectors.spec import Spec
from pages.compare.map import MAP
from pages.compare.orders import ORDERS
from pages.compare.pairs import PAIRS
from pages.compare.whole import WHOLE

VIEWS = (WHOLE, PAIRS, MAP, ORDERS)

if __name__ == "__main__":
    sentences.begin_in_own_language(reads=st.query_params.get("view", WHOLE.name) == WHOLE.name)
    # Links from before the whole way was the first view name settings that it does not have, or the map's axes.
    usual = "pairs" if {each.name for each in fields(Spec)} & set(st.query_params) else None
    usual = "map" if st.query_params.get("axes") == "3-D" else usual
    ui.page(_("Where does word order enter?"), VIEWS, default=usual)
