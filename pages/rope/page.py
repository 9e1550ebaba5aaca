"""RoPE: how do rotary positions work?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.rope.guide import GUIDES
from pages.rope.longer import longer
from pages.rope.turn import turn

VIEWS = {"turn": turn, "longer": longer}

ui.page("rope", _("Positions as turns"), VIEWS, GUIDES)
