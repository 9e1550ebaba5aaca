"""Models: which positions do models of today have?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.models.choose import choose
from pages.models.guide import GUIDES
from pages.models.ideas import ideas
from pages.models.layers import layers
from pages.models.table import table

VIEWS = {
    "layers": layers,
    "table": table,
    "choose": choose,
    "ideas": ideas,
}

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="models")
page.title(_("Positions in the models of today"), GUIDES[view])
VIEWS[view](page)
