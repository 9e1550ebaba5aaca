"""Training: what do the two tables learn?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.training.positions import POSITIONS
from pages.training.words import WORDS

VIEWS = (WORDS, POSITIONS)

if __name__ == "__main__":
    ui.page(_("How vectors learn"), VIEWS)
