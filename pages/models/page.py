"""Models: which positions do published models have?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView, presenting
from pages.models.guide import GUIDES
from pages.models.layers import layers, reach_program
from pages.models.table import table, years


def models(_page: ui.Frame) -> None:
    """Show the layers of twelve models, then how many models of each year have what, and a row for each of them."""
    layers()
    years()
    if presenting.is_on():
        return  # only a reader has the time for so many rows
    table()
    reach_program()


VIEWS = (LiveView(page="models", name="", guide=GUIDES[""], draw=models),)

if __name__ == "__main__":
    ui.page(_("Published models"), VIEWS)
