"""The view "sinks" of the page "Attention": a place for weight that fits nowhere, learned or among the first tokens."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.windows import Sinks, with_sinks
from embedviz.base.i18n import _
from embedviz.figures.schemes.window_maps import sink_maps
from embedviz.programs.attention import pytorch_sinks
from embedviz.programs.rows import of_weights
from embedviz.text.tokens import Tokens
from embedviz.ui import sentences
from embedviz.ui.fields import BOUND, whole_number
from embedviz.ui.messages import stop_at_error
from pages.attention import window_words
from pages.attention.sentence import MAX_TOKENS, height_of_maps, layer_settings, sentence_a, window_field


def sinks(page: ui.Frame) -> None:
    """Show the weights of one head with a window alone, with the first tokens kept, and with a learned sink."""
    settings, n_heads, head = layer_settings(page)
    page.lead(_("One random, untrained layer."))
    _sinks(settings, n_heads, head)


@ui.part
def _sinks(settings: dict[str, object], n_heads: int, head: int) -> None:
    with ui.slide("tokens", alone=True):
        text, wide, first, logit = sentences.columns([3, 1, 1, 1.5])
    with wide:
        size = window_field()
    with first:
        n_first = whole_number(
            _("First tokens kept"),
            0,
            MAX_TOKENS,
            1,
            key="n_sinks",
            help=_("So many tokens at the start of the text stay in view of all tokens after them."),
        )
    with logit:
        sink = _sink_field()
    embedded = sentence_a(text, settings)
    with stop_at_error():
        found = with_sinks(embedded, n_heads, size, n_first, sink)
    ui.cards(window_words.about_sinks(found, head), key="about_sinks")
    _picture(found, embedded.tokens, head)
    ui.aside(window_words.as_made_here())
    ui.program(
        pytorch_sinks(embedded, found, head),
        _("Attention sinks"),
        height=380,
        rows=partial(
            of_weights, embedded.tokens, window=found.windowed.alone, first_kept=found.kept, sink=found.learned
        ),
    )


def _sink_field() -> float:
    return st.slider(
        _("Learned sink (logit)"),
        -8.0,
        8.0,
        1.0,
        0.1,
        key="sink",
        help=_("One more number in the softmax of every token. It is no token, and its weight is dropped."),
        **BOUND,
    )


def _picture(sinks: Sinks, tokens: Tokens, head: int) -> None:
    weights = (sinks.windowed.alone.seen_by(head), sinks.kept.seen_by(head), sinks.learned.seen_by(head))
    figure = sink_maps(weights, sinks.sums(head), tokens.ids, tokens.texts)
    with ui.slide("sinks"):
        ui.show(figure, key="sinks", alt=window_words.sinks_in_words(sinks, head), height=height_of_maps(len(tokens)))
