"""Training: what do the two tables learn?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.training.guide import GUIDES
from pages.training.stage import stage
from pages.training.views import positions, words


def lead() -> str:
    """What the page shows."""
    return _("A small GPT learns to predict the next word.")


VIEWS = (
    LiveView(page="training", name="words", guide=GUIDES["words"], draw=partial(stage, words), lead=lead),
    LiveView(page="training", name="positions", guide=GUIDES["positions"], draw=partial(stage, positions), lead=lead),
)

if __name__ == "__main__":
    ui.page(_("How vectors learn"), VIEWS)
