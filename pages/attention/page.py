"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.attention.guide import GUIDES
from pages.attention.head import head
from pages.attention.order import order

VIEWS = {"order": order, "head": head}

ui.page("attention", _("Attention and order"), VIEWS, GUIDES, lead=None)
