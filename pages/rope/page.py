"""RoPE: how do rotary positions work?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.rope.base import base
from pages.rope.distance import distance
from pages.rope.guide import GUIDES
from pages.rope.layouts import layouts
from pages.rope.longer import longer
from pages.rope.part import part
from pages.rope.turn import turn

VIEWS = {
    "turn": turn,
    "layouts": layouts,
    "base": base,
    "longer": longer,
    "part": part,
    "distance": distance,
}

ui.page("rope", _("Positions as turns"), VIEWS, GUIDES)
