"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.attention.head import HEAD
from pages.attention.order import ORDER

VIEWS = (ORDER, HEAD)

if __name__ == "__main__":
    ui.page(_("Attention and order"), VIEWS)
