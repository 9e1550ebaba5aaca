"""Batches: how does a text become batches of inputs and targets?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.batches.guide import GUIDES
from pages.batches.padding import padding
from pages.batches.settings import loaded
from pages.batches.windows import sliding

VIEWS = (
    LiveView(page="batches", name="windows", guide=GUIDES["windows"], draw=partial(loaded, sliding)),
    LiveView(page="batches", name="padding", guide=GUIDES["padding"], draw=padding),
)

if __name__ == "__main__":
    ui.page(_("Windows over a text"), VIEWS)
