"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.attention.guide import GUIDES
from pages.attention.order import order
from pages.attention.sinks import sinks
from pages.attention.window import window

VIEWS = {
    "order": order,
    "window": window,
    "sinks": sinks,
}

ui.page("attention", _("Attention and order"), VIEWS, GUIDES, lead=None)
