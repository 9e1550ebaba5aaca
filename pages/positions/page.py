"""Positions: what is added to a token vector?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.positions.adding import adding
from pages.positions.guide import GUIDES
from pages.positions.settings import of_tables
from pages.positions.views import pairs_view, past_the_end, table_view

VIEWS = (
    LiveView(
        page="positions",
        name="adding",
        guide=GUIDES["adding"],
        draw=partial(of_tables, adding),
        examples=({}, {"held_numbers": "4"}, {"held_numbers": "pca"}),
    ),
    LiveView(page="positions", name="table", guide=GUIDES["table"], draw=partial(of_tables, table_view)),
    LiveView(page="positions", name="pairs", guide=GUIDES["pairs"], draw=partial(of_tables, pairs_view)),
    LiveView(page="positions", name="end", guide=GUIDES["end"], draw=partial(of_tables, past_the_end)),
)

if __name__ == "__main__":
    ui.page(_("A vector for each position"), VIEWS)
