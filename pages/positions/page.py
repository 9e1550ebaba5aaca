"""Positions: what is added to a token vector?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from pages.positions.adding import adding
from pages.positions.guide import GUIDES
from pages.positions.settings import of_tables
from pages.positions.views import pairs_view, past_the_end, table_view

VIEWS = {
    "adding": partial(of_tables, adding),
    "table": partial(of_tables, table_view),
    "pairs": partial(of_tables, pairs_view),
    "end": partial(of_tables, past_the_end),
}

ui.page("positions", _("A vector for each position"), VIEWS, GUIDES)
