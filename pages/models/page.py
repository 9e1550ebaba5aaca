"""Models: which positions do models of today have?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.models.guide import GUIDES
from pages.models.ideas import ideas
from pages.models.layers import layers
from pages.models.table import table

VIEWS = {
    "layers": layers,
    "table": table,
    "ideas": ideas,
}

ui.page("models", _("Positions in the models of today"), VIEWS, GUIDES)
