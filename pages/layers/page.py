"""Layers: what do the layers of a trained model make of two orders?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.layers.copies import copies
from pages.layers.guide import GUIDES
from pages.layers.meaning import meaning
from pages.layers.memory import memory

VIEWS = {"copies": copies, "meaning": meaning, "memory": memory}

ui.page("layers", _("Two orders, layer by layer"), VIEWS, GUIDES)
