"""Models: which positions do published models have?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.models.guide import GUIDES
from pages.models.layers import layers
from pages.models.one import one
from pages.models.table import table

VIEWS = {"layers": layers, "one": one, "table": table}

ui.page("models", _("Published models"), VIEWS, GUIDES)
