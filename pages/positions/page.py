"""Positions: what is added to a token vector?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from pages.positions.adding import adding
from pages.positions.guide import GUIDES
from pages.positions.real_models import real_models
from pages.positions.settings import of_tables
from pages.positions.views import pairs_view, past_the_end, side_by_side, similarity_view, table_view

VIEWS = {
    "table": partial(of_tables, table_view),
    "pairs": partial(of_tables, pairs_view),
    "similarity": partial(of_tables, similarity_view),
    "kinds": partial(of_tables, side_by_side),
    "end": partial(of_tables, past_the_end),
    "adding": partial(of_tables, adding),
    "models": partial(of_tables, real_models),
}

ui.page("positions", _("A vector for each position"), VIEWS, GUIDES)
