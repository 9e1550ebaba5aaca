"""Layers: what do the layers of a trained model make of two orders?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.layers.copies import COPIES
from pages.layers.meaning import MEANING
from pages.layers.memory import MEMORY

VIEWS = (COPIES, MEANING, MEMORY)

if __name__ == "__main__":
    ui.page(_("Two orders, layer by layer"), VIEWS)
