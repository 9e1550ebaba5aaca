"""The view "order" of the page "Attention": what one layer makes of two orders."""

from dataclasses import replace
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.layer import MAX_HEADS
from embedviz.attention.two_sentences import AttentionCases, attention_cases
from embedviz.base.i18n import _
from embedviz.figures.distances import copies_map
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.rows import of_attention
from embedviz.text.samples import pairs
from embedviz.ui import BOUND, presenting, stop, stop_at_error, whole_number
from embedviz.ui.inputs import controls, sentences
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.sources import source_of
from pages.attention.words import about_attention, case_in_words

_HEIGHT = "clamp(15rem, calc(100vh - 27.5rem), 34rem)"


def order(page: ui.Frame) -> None:
    """Show both sentences and what the layer makes of them, in three cases."""
    with page.settings():
        n_heads = whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=page.messages)
        settings = controls.backend(seeded=True)
    if not presenting.is_on():
        page.lead()
    _order(settings, n_heads)


@ui.part
def _order(settings: dict[str, object], n_heads: int) -> None:
    left, right, pick = sentences.columns([3, 3, 1.5])
    text_a = sentences.sentence(left, "A", pairs()[0].a)
    text_b = sentences.sentence(right, "B", pairs()[0].b)
    with pick:
        sentences.pair_picker((text_a, text_b, settings["prefix_space"]), settings["tokenizer"])
        causal = _causal_field()
    spec = sentences.spec_or_message(settings, text_a, text_b)
    places = sentences.rooms_below((left, right))
    tokens = sentences.tokens((left, right), (text_a, text_b), spec, sentences.MAX_DRAWN)
    if not presenting.is_on():  # the pictures name them
        sentences.as_chips(places, tokens)
    a, b = sentences.embed_or_message(tokens, spec)
    comparison = compare(a, b)
    found = _attended(comparison, n_heads, causal)
    _cases(found, comparison, causal)
    whose = source_of(spec.source).whose
    ui.aside(_("{whose} One random attention layer without residual connection or output matrix.", whose=whose))
    ui.program(
        pytorch_attention(a, b, n_heads, causal),
        _("Attention and order"),
        height=380,
        rows=partial(of_attention, found.chosen, comparison),
    )


def _causal_field() -> bool:
    """Whether a token sees only itself and those before it, where there are positions too."""
    return st.toggle(
        _("Causal mask"),
        key="causal",
        help=_("With positions, a token attends only to itself and to those before it, as in GPT-2."),
        **BOUND,
    )


def _attended(comparison: Comparison, n_heads: int, masked: bool) -> AttentionCases:
    """Return the layer's results in three cases. If the heads do not fit, show a message and stop the page there."""
    if not comparison.shared.size:
        stop()  # the empty sentence has its message already
    with stop_at_error():
        return attention_cases(comparison, n_heads, masked)


def _cases(compared: AttentionCases, comparison: Comparison, causal: bool) -> None:
    """Three matrices side by side, each below what it shows."""
    if not comparison.n_shared:
        st.info(_("No token of A has the ID of a token of B: there is nothing to compare."))
        return
    cases = {"plain": compared.plain, "chosen": compared.chosen, "masked": compared.masked}
    most = max(max(each.distances[each.shared].max(), each.unrelated or 0) for each in cases.values()) or 1.0
    cards = about_attention(compared, comparison, causal)
    with ui.slide("cases", whole=True):
        columns = st.columns(len(cases))
    for column, (name, each), card in zip(columns, cases.items(), cards, strict=True):
        with column, ui.slide(name):
            ui.cards([replace(card, text="")], key=f"case_{name}")
            figure = copies_map(
                each.distances, each.shared, each.unrelated, float(most), ids=comparison.ids, texts=comparison.texts
            )
            ui.show(figure, key=name, alt=case_in_words(card, each), height=_HEIGHT)
            ui.aside(card.text)
