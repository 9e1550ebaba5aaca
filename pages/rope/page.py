"""RoPE: how do rotary positions work?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
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

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="rope")
page.title(_("Positions as turns"), GUIDES[view])
VIEWS[view](page)
