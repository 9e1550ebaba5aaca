"""Training: what do the two tables learn?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from pages.training.guide import GUIDES
from pages.training.stage import stage
from pages.training.views import positions, words

VIEWS = {"words": partial(stage, words), "positions": partial(stage, positions)}

lead = _("A small GPT learns to predict the next word.")
ui.page("training", _("How vectors learn"), VIEWS, GUIDES, lead=lead)
