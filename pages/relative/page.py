"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.relative.distance import DISTANCE
from pages.relative.far import FAR
from pages.relative.shift import SHIFT

VIEWS = (SHIFT, DISTANCE, FAR)

if __name__ == "__main__":
    ui.page(_("Where, or how far?"), VIEWS)
