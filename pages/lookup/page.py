"""Lookup: what does an embedding layer do?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.lookup.one_hot import ONE_HOT
from pages.lookup.rows import ROWS

VIEWS = (ROWS, ONE_HOT)

if __name__ == "__main__":
    ui.page(_("An embedding layer is a lookup"), VIEWS)
