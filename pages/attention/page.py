"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.attention.guide import GUIDES
from pages.attention.order import order
from pages.attention.sentence import layer_settings, lead
from pages.attention.sinks import sinks
from pages.attention.window import window

VIEWS = {
    "order": order,
    "window": window,
    "sinks": sinks,
}

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="attention")
settings, n_heads, head = layer_settings(page)
page.title(_("Attention and order"), GUIDES[view], lead(settings, view))
with page.body:
    VIEWS[view](settings, n_heads, head)
