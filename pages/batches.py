"""Batches: how does a text become batches of inputs and targets?"""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.export_batches import pytorch_batches
from embedviz.ui import batching

page = st.container(gap="xsmall")
with page:
    title, *settings = st.columns([2.6, 1.7, 1.2, 0.95, 0.95, 0.95, 0.85], vertical_alignment="bottom")
    messages = st.container()
    left, right = st.columns([6, 1], vertical_alignment="bottom")
with title:
    ui.title("Windows over a text", "Inputs, and the same one token later.")
with left:
    view = batching.view()

with page:
    if view == "Padding":
        batching.padding_view()
    else:
        loader = batching.loader(settings, messages)
        batch = batching.batch(loader, right, messages)
        if batch:
            {"Windows": batching.window_view, "Shapes": batching.shape_view}[view](loader, batch)
            ui.program(
                pytorch_batches(loader),
                "Windows over a text",
                note="Save the text as text.txt beside it; the notebook has it.",
                height=380,
                alone=partial(batching.with_text, loader),
            )
