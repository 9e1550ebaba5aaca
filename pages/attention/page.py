"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.layers.runnable import runnable
from pages.attention.guide import GUIDES
from pages.attention.head import head
from pages.attention.order import order
from pages.attention.window import window

VIEWS = {"order": order, "head": head, "window": window}

# Real before random: a trained head, where a model lies on this machine. Older links to Two orders name no view.
is_older = any(name in st.query_params for name in ("causal", "n_heads"))
usual = "head" if runnable() and not is_older else None
ui.page("attention", _("Attention and order"), VIEWS, GUIDES, lead=None, usual=usual)
