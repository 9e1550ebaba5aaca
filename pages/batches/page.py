"""Batches: how does a text become batches of inputs and targets?"""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.programs.batches import pytorch_batches
from embedviz.ui.fields import view_of
from pages.batches.padding import padding_view
from pages.batches.settings import batch_field, loader_settings, with_text
from pages.batches.shapes import shape_view
from pages.batches.sliding import window_view

VIEWS = {"windows": window_view, "shapes": shape_view, "padding": padding_view}

page = st.container(gap="xsmall")
with page:
    title, *settings = st.columns([2.6, 1.7, 1.2, 0.95, 0.95, 0.95, 0.85], vertical_alignment="bottom")
    messages = st.container()
    left, right = st.columns([6, 1], vertical_alignment="bottom")
with title:
    ui.title(_("Windows over a text"), _("Inputs, and the same one token later."))
with left:
    view = view_of(_("Show"), VIEWS, key="part")

with page:
    if view == "padding":
        padding_view()
    else:
        loader = loader_settings(settings, messages)
        batch = batch_field(loader, right, messages)
        if batch:
            VIEWS[view](loader, batch)
            ui.program(
                pytorch_batches(loader),
                _("Windows over a text"),
                note=_("Save the text as text.txt beside it; the notebook has it."),
                height=380,
                alone=partial(with_text, loader),
            )
