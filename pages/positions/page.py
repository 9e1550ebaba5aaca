"""Positions: what is added to a token vector?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.positions.adding import ADDING_VIEW
from pages.positions.end import END
from pages.positions.pairs import PAIRS
from pages.positions.table import TABLE

VIEWS = (ADDING_VIEW, TABLE, PAIRS, END)

if __name__ == "__main__":
    ui.page(_("A vector for each position"), VIEWS)
