"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.relative.distance import distance
from pages.relative.guide import GUIDES
from pages.relative.lengths import lengths
from pages.relative.schemes import schemes
from pages.relative.scores import scores
from pages.relative.shift import shift
from pages.relative.t5_view import learned_by_t5

VIEWS = {
    "scores": scores,
    "shift": shift,
    "distance": distance,
    "t5": learned_by_t5,
    "lengths": lengths,
    "schemes": schemes,
}

ui.page("relative", _("Where it stands, or how far away"), VIEWS, GUIDES, lead=None)
