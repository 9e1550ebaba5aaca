"""The view "window" of the page "Attention": a sliding window, in one layer and through several."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.attention.layer import MAX_HEADS
from embedviz.attention.windows import with_window
from embedviz.base.i18n import _, paragraph
from embedviz.base.pages import page_at
from embedviz.figures.axes import MAX_LABELS
from embedviz.figures.schemes.window_maps import window_maps
from embedviz.programs.attention import pytorch_window
from embedviz.programs.rows import of_weights
from embedviz.text.samples import pairs
from embedviz.ui import controls, presenting, sentences, stop, stop_at_error, whole_number
from embedviz.vectors.embedding import Embedded
from pages.attention import window_words

MAX_LAYERS = 12  # through so many the program still finds a change that rounding has not swallowed


def window(page: ui.Frame) -> None:
    """Show the weights of one head with a window, and through how many layers each token reaches each other."""
    with page.settings():
        n_heads = whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=page.messages)
        head = whole_number(_("Head"), 1, n_heads, 1, key="head", below=page.messages) - 1
        settings = controls.backend(seeded=True)
    page.lead()
    _window(settings, n_heads, head)


@ui.part
def _window(settings: dict[str, object], n_heads: int, head: int) -> None:
    text, wide, deep = sentences.columns([4, 1, 1])
    with wide:
        help_ = _("How many tokens a token sees, itself the last of them. Models call this sliding_window.")
        size = whole_number(_("Window (tokens)"), 1, sentences.MAX_DRAWN, 3, key="window", help=help_)
    with deep:
        n_layers = whole_number(_("Layers"), 1, MAX_LAYERS, 3, key="n_layers", help=_("All have the same window."))
    embedded = _sentence_a(text, settings)
    tokens = embedded.tokens
    with stop_at_error():
        found = with_window(embedded, n_heads, size)
    cards = window_words.about_window(found, head, n_layers)
    ui.cards(cards, key="about_window")
    with ui.slide(brief=True):
        figure = window_maps(found.alone.seen_by(head), found.needed, n_layers, tokens.ids, tokens.texts)
        alt = window_words.window_in_words(cards, found, head, n_layers)
        ui.show(figure, key="window", alt=alt, height=_height(len(tokens)))
    ui.aside(paragraph([_("Random, untrained layers."), window_words.who_has_windows()]))
    if not presenting.is_on():
        script = page_at("models").script
        st.page_link(script, label=_("See which model has which window"), icon=":material/layers:")
    ui.program(
        pytorch_window(embedded, found, head, n_layers),
        _("Sliding window"),
        height=380,
        rows=partial(of_weights, tokens, window=found.alone, without=found.whole),
    )


def _height(n_tokens: int) -> str:
    """What a screen has left for matrices of so many tokens, as a CSS length; at least a line for each named row."""
    named = -(-n_tokens // -(-n_tokens // MAX_LABELS))
    return f"clamp({max(16, 7 + 0.9 * named):.1f}rem, calc(100vh - 28.9rem), 44rem)"


def _sentence_a(text_column: DeltaGenerator, settings: dict[str, object]) -> Embedded:
    """Sentence A as chips and as vectors. If there are none, show a message and stop the page there."""
    text = sentences.sentence(text_column, "A", pairs()[0].a)
    spec = sentences.spec_or_message(settings, text)
    places = sentences.rooms_below([text_column])
    tokens = sentences.tokens([text_column], [text], spec, sentences.MAX_DRAWN)
    if not tokens[0].ids:
        stop()  # it has its message already
    if not presenting.is_on():  # the picture names them
        sentences.as_chips(places, tokens)
    (embedded,) = sentences.embed_or_message(tokens, spec)
    return embedded
