"""Batches: how does a text become batches of inputs and targets?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from pages.batches.guide import GUIDES
from pages.batches.padding import padding
from pages.batches.settings import loaded
from pages.batches.windows import sliding

VIEWS = {"windows": partial(loaded, sliding), "padding": padding}

ui.page("batches", _("Windows over a text"), VIEWS, GUIDES)
