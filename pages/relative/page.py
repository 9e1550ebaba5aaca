"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.relative.distance import distance
from pages.relative.far import far
from pages.relative.guide import GUIDES
from pages.relative.shift import shift

VIEWS = {"shift": shift, "distance": distance, "far": far}

ui.page("relative", _("Where, or how far?"), VIEWS, GUIDES)
