"""RoPE: how do rotary positions work?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.rope.guide import GUIDES
from pages.rope.longer import longer
from pages.rope.turn import turn

VIEWS = (
    LiveView(page="rope", name="turn", guide=GUIDES["turn"], draw=turn),
    LiveView(page="rope", name="longer", guide=GUIDES["longer"], draw=longer),
)

if __name__ == "__main__":
    ui.page(_("Positions as turns"), VIEWS)
