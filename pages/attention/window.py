"""The view "window" of the page "Attention": a sliding window, in one layer and through several."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.windows import Windowed, with_window
from embedviz.base.i18n import _
from embedviz.base.pages import page_at
from embedviz.figures.schemes.window_maps import window_maps
from embedviz.programs.attention import pytorch_window
from embedviz.programs.rows import of_weights
from embedviz.text.tokens import Tokens
from embedviz.ui import presenting, sentences
from embedviz.ui.fields import whole_number
from embedviz.ui.messages import stop_at_error
from pages.attention import window_words
from pages.attention.sentence import height_of_maps, layer_settings, sentence_a, window_field

MAX_LAYERS = 12  # through so many the program still finds a change that rounding has not swallowed


def window(page: ui.Frame) -> None:
    """Show the weights of one head with a window, and through how many layers each token reaches each other."""
    settings, n_heads, head = layer_settings(page)
    page.lead(_("Random, untrained layers."))
    _window(settings, n_heads, head)


@ui.part
def _window(settings: dict[str, object], n_heads: int, head: int) -> None:
    with ui.slide("tokens", alone=True):
        text, wide, deep = sentences.columns([4, 1, 1])
    with wide:
        size = window_field()
    with deep:
        n_layers = whole_number(_("Layers"), 1, MAX_LAYERS, 2, key="n_layers", help=_("All with the same window."))
    embedded = sentence_a(text, settings)
    with stop_at_error():
        found = with_window(embedded, n_heads, size)
    ui.cards(window_words.about_window(found, head, n_layers), key="about_window")
    _picture(found, embedded.tokens, head, n_layers)
    _models()
    ui.program(
        pytorch_window(embedded, found, head, n_layers),
        _("Sliding window"),
        height=380,
        rows=partial(of_weights, embedded.tokens, window=found.alone, without=found.whole),
    )


def _picture(windowed: Windowed, tokens: Tokens, head: int, n_layers: int) -> None:
    figure = window_maps(windowed.alone.seen_by(head), windowed.needed, n_layers, tokens.ids, tokens.texts)
    with ui.slide("window"):
        ui.show(
            figure,
            key="window",
            alt=window_words.window_in_words(windowed, head, n_layers),
            height=height_of_maps(len(tokens)),
        )


def _models() -> None:
    """Which models have a window, and the page that shows it layer by layer."""
    if presenting.is_on():
        return
    st.caption(window_words.who_has_windows())
    st.page_link(page_at("models").script, label=_("See which model has which window"), icon=":material/layers:")
