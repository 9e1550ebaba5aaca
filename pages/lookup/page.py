"""Lookup: what does an embedding layer do?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.lookup.guide import GUIDES
from pages.lookup.one_hot import one_hot
from pages.lookup.rows import rows

VIEWS = {"rows": rows, "one-hot": one_hot}

ui.page("lookup", _("An embedding layer is a lookup"), VIEWS, GUIDES)
