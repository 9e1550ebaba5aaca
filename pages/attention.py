"""Attention: what does one layer make of two orders?"""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.comparison import compare
from embedviz.export_attention import pytorch_attention
from embedviz.samples import pairs
from embedviz.takeaway import of_attention
from embedviz.texts import _
from embedviz.ui import attentions, controls


@ui.part
def attention_over(settings: dict[str, object], n_heads: int, head: int) -> None:
    """Both sentences and what the layer makes of them."""
    left, right, pick = st.columns([3, 3, 1.5])
    text_a = controls.sentence(left, "A", pairs()[0].a)
    text_b = controls.sentence(right, "B", pairs()[0].b)
    with pick:
        controls.pair_picker((text_a, text_b, settings["prefix_space"]))
        causal = attentions.causal()
    spec = controls.spec_or_message(settings, text_a, text_b)
    tokens = controls.tokens(left, right, (text_a, text_b), spec, attentions.MAX_TOKENS)
    a, b = controls.embed_or_message(*tokens, spec)
    comparison = compare(a, b)
    found = attentions.attended(comparison, n_heads, causal)
    attentions.pictures(found.chosen, comparison, head)
    ui.program(
        pytorch_attention(a, b, n_heads, head, causal),
        _("Attention and order"),
        height=380,
        rows=partial(of_attention, found.chosen, comparison),
    )


with st.container(gap="xsmall"):
    title, *quick, count, which, more = st.columns([2.5, 1.1, 1.25, 1.15, 0.85, 0.85, 0.9], vertical_alignment="bottom")
    messages = st.container()
    settings = controls.backend(quick, more, seeded=True)
    n_heads, head = attentions.heads(count, which, messages)
    with title:
        ui.title(
            _("Attention and order"), _("One layer, random matrices. {whose}", whose=controls.whose(settings["source"]))
        )
    attention_over(settings, n_heads, head)
