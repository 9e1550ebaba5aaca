"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.relative.distance import distance
from pages.relative.far import far
from pages.relative.guide import GUIDES
from pages.relative.shift import shift

VIEWS = (
    LiveView(page="relative", name="shift", guide=GUIDES["shift"], draw=shift),
    LiveView(page="relative", name="distance", guide=GUIDES["distance"], draw=distance),
    LiveView(page="relative", name="far", guide=GUIDES["far"], draw=far),
)

if __name__ == "__main__":
    ui.page(_("Where, or how far?"), VIEWS)
