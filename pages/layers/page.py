"""Layers: what do the layers of a trained model make of two orders?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.layers.copies import copies
from pages.layers.guide import GUIDES
from pages.layers.meaning import meaning
from pages.layers.memory import memory

VIEWS = (
    LiveView(page="layers", name="copies", guide=GUIDES["copies"], draw=copies),
    LiveView(page="layers", name="meaning", guide=GUIDES["meaning"], draw=meaning),
    LiveView(page="layers", name="memory", guide=GUIDES["memory"], draw=memory),
)

if __name__ == "__main__":
    ui.page(_("Two orders, layer by layer"), VIEWS)
