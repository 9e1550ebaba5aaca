"""Batches: how does a text become batches of inputs and targets?"""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.programs.batches import pytorch_batches
from embedviz.ui.fields import view_of
from pages.batches.guide import GUIDES
from pages.batches.padding import padding_view
from pages.batches.settings import batch_field, loader_settings, with_text
from pages.batches.shapes import shape_view
from pages.batches.sliding import window_view

VIEWS = {"windows": window_view, "shapes": shape_view, "padding": padding_view}

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="part")
page.title(_("Windows over a text"), GUIDES[view])
if view == "padding":
    with page.body:
        padding_view()
else:
    loader, column = loader_settings(page)
    with page.body:
        if batch := batch_field(loader, column, page.messages):
            VIEWS[view](loader, batch)
            ui.program(
                pytorch_batches(loader),
                _("Windows over a text"),
                note=_("Save the text as text.txt beside it; the notebook has it."),
                height=380,
                alone=partial(with_text, loader),
            )
