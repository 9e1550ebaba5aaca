"""Lookup: what does an embedding layer do?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.lookup.guide import GUIDES
from pages.lookup.one_hot import one_hot
from pages.lookup.rows import rows

VIEWS = (
    LiveView(page="lookup", name="rows", guide=GUIDES["rows"], draw=rows),
    LiveView(page="lookup", name="one-hot", guide=GUIDES["one-hot"], draw=one_hot),
)

if __name__ == "__main__":
    ui.page(_("An embedding layer is a lookup"), VIEWS)
