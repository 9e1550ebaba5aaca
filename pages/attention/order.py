"""The view "order" of the page "Attention": what one layer makes of two orders."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.two_sentences import Attended, Three, three
from embedviz.base.i18n import _
from embedviz.figures.heatmaps import row_heatmap
from embedviz.figures.weights import attention_maps
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.rows import of_attention
from embedviz.text.samples import pairs
from embedviz.ui import alt_text, sentences
from embedviz.ui.fields import BOUND
from embedviz.ui.messages import stop, stop_at_error
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.sources import source_of
from pages.attention.sentence import MAX_TOKENS, layer_settings
from pages.attention.words import about_attention

_MAPS = "clamp(16rem, calc(100vh - 28.9rem), 38rem)"
_ROWS = "clamp(14rem, 40vh, 32rem)"


def order(page: ui.Frame) -> None:
    """Show both sentences and what the layer makes of them."""
    settings, n_heads, head = layer_settings(page)
    whose = source_of(settings["source"]).whose
    page.lead(_("{whose} One random attention layer without residual connection or output matrix.", whose=whose))
    _order(settings, n_heads, head)


@ui.part
def _order(settings: dict[str, object], n_heads: int, head: int) -> None:
    with ui.slide("tokens", alone=True):
        left, right, pick = sentences.columns([3, 3, 1.5])
    text_a = sentences.sentence(left, "A", pairs()[0].a)
    text_b = sentences.sentence(right, "B", pairs()[0].b)
    with pick:
        sentences.pair_picker((text_a, text_b, settings["prefix_space"]), settings["tokenizer"])
        causal = _causal_field()
    spec = sentences.spec_or_message(settings, text_a, text_b)
    places = [column.container() for column in (left, right)]
    tokens = sentences.tokens((left, right), (text_a, text_b), spec, MAX_TOKENS)
    sentences.as_chips(places, tokens)
    a, b = sentences.embed_or_message(tokens, spec)
    comparison = compare(a, b)
    found = _attended(comparison, n_heads, causal)
    _pictures(found.chosen, comparison, head)
    ui.program(
        pytorch_attention(a, b, n_heads, head, causal),
        _("Attention and order"),
        height=380,
        rows=partial(of_attention, found.chosen, comparison),
    )


def _causal_field() -> bool:
    """Whether a token sees only itself and those before it."""
    return st.toggle(
        _("Causal mask"),
        key="causal",
        help=_("A token attends only to itself and to those before it, as in GPT-2."),
        **BOUND,
    )


def _attended(comparison: Comparison, n_heads: int, masked: bool) -> Three:
    """Return the layer's results in three cases. If the heads do not fit, show a message and stop the page there."""
    if not comparison.shared.size:
        stop()  # the empty sentence has its message already
    with stop_at_error():
        found = three(comparison, n_heads, masked)
    ui.cards(about_attention(found, comparison, masked), key="about_attention")
    return found


def _pictures(attended: Attended, comparison: Comparison, head: int) -> None:
    """Weights of one head, distances of all outputs, and the outputs."""
    words = (comparison.ids, comparison.texts)
    weights = (attended.a.seen_by(head), attended.b.seen_by(head))
    maps = attention_maps(weights, attended.distances, attended.shared, *words)
    with ui.slide("maps"):
        ui.show(maps, key="maps", alt=alt_text.attention(attended, head), height=_MAPS)
    outputs = row_heatmap(attended.a.outputs, attended.b.outputs, *words, _("output"))
    with ui.slide("outputs"):
        ui.show(outputs, key="outputs", alt=alt_text.outputs(attended), height=_ROWS)
