"""RoPE: how do rotary positions work?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.rope.longer import LONGER
from pages.rope.turn import TURN

VIEWS = (TURN, LONGER)

if __name__ == "__main__":
    ui.page(_("Positions as turns"), VIEWS)
