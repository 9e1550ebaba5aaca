"""Batches: how does a text become batches of inputs and targets?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.batches.padding import PADDING
from pages.batches.windows import WINDOWS

VIEWS = (WINDOWS, PADDING)

if __name__ == "__main__":
    ui.page(_("Windows over a text"), VIEWS)
