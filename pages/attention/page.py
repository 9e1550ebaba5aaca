"""Attention: what does one layer make of the order of its tokens, and of a mask?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.attention.guide import GUIDES
from pages.attention.head import head
from pages.attention.order import order

VIEWS = (
    LiveView(page="attention", name="order", guide=GUIDES["order"], draw=order, lead=None),
    LiveView(page="attention", name="head", guide=GUIDES["head"], draw=head, lead=None),
)

if __name__ == "__main__":
    ui.page(_("Attention and order"), VIEWS)
