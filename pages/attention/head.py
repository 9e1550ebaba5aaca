"""The view "head" of the page "Attention": where a head of a trained model looks, with positions off and on."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.figure import Figure
from embedviz.figures.weights import head_maps
from embedviz.layers import looks
from embedviz.layers.heads import Heads, heads
from embedviz.layers.looks import Picked
from embedviz.programs.layers import pytorch_head
from embedviz.programs.next_word import pytorch_weights
from embedviz.text.samples import pairs
from embedviz.text.tokens import words_first
from embedviz.ui import BOUND, OPTIONS, one_of, reader_fields, readers, stop_at_error, whole_number
from embedviz.ui.readers import Both, Reader
from pages.attention.head_words import about_head, head_in_words

_HEIGHT = "clamp(17rem, calc(100vh - 27.5rem), 40rem)"


def head(page: ui.Frame) -> None:
    """Show the weights of a trained head over both sentences. Positions are off until the reader switches them on."""
    reader_fields.say_how_to_get_one(page.messages)
    page.lead()
    _head()


@ui.part
def _head() -> None:
    of, texts = reader_fields.reader_and_texts(usual=(pairs()[0].a, pairs()[0].b))
    controls, body = st.container(), st.container()
    with body, stop_at_error(), reader_fields.waiting(of):
        trained = readers.read_both(of, texts, "trained")
        known = None if of.run else heads(of.name)
        with controls:
            is_on, picked = _controls(of, trained, known)
        both = trained if is_on else readers.read_both(of, texts, "off")
    cards = about_head(of, both, picked, known, is_on=is_on)
    ui.cards(cards, key="about_head")
    with ui.slide("head", brief=True):
        ui.show(_figure(of, both, picked), key="head", alt=head_in_words(both, picked, cards[0]), height=_HEIGHT)
    ui.program(_program(of, both, picked), _("A trained head"), height=380, rows=partial(readers.rows, both))


def _controls(of: Reader, trained: Both, known: Heads | None) -> tuple[bool, Picked]:
    """Whether positions are on, and the head."""
    can_be_off = of.scheme != "alibi"
    sink = looks.strongest_sink(trained.attentions, trained.a.tokens, is_causal=not of.is_encoder)
    offered = [name for name in OPTIONS["looks"] if name != "sink" or sink]
    with ui.on_every_slide("on"), st.container(horizontal=True, vertical_alignment="center"):
        is_on = st.toggle(
            _("Positions"),
            not can_be_off,
            key="on",
            disabled=not can_be_off,
            help=_("Off: all tokens stand at one position, which the model never saw in training."),
            **BOUND,
        )
        look = one_of(_("The head looks at"), offered, key="looks", label_visibility="collapsed")
    is_on = is_on or not can_be_off
    if look == "sink":
        return is_on, sink
    layer, number = known.strongest(-1) if known else looks.strongest(trained.attentions, "before")
    if look == "before":
        return is_on, Picked(layer, number, look)
    one, other, _rest = st.columns([1, 1, 4])
    n_layers, n_heads = trained.a.attentions.shape[:2]
    layer = whole_number(_("Layer"), 1, n_layers, layer + 1, key="layer", place=one) - 1
    number = whole_number(_("Head"), 1, n_heads, number + 1, key="layer_head", place=other) - 1
    return is_on, Picked(layer, number, looks.most(trained.attentions, layer, number))


def _figure(of: Reader, both: Both, picked: Picked) -> Figure:
    weights = [looks.seen(each[picked.layer, picked.head], is_causal=not of.is_encoder) for each in both.attentions]
    framed = [looks.cells(picked.place, len(each)) for each in weights]
    tokens = (both.a.tokens, both.b.tokens)
    ids, texts = (tuple(getattr(each, name) for each in tokens) for name in ("ids", "texts"))
    return head_maps(weights, framed, ids=ids, texts=texts, colour_order=words_first(*tokens))


def _program(of: Reader, both: Both, picked: Picked) -> str:
    if not of.run:
        return pytorch_head(of.name, *both.each(readers.positions_after), picked.layer, picked.head)
    a, b = ((each.tokens.texts, placement) for each, placement in both.each(readers.placed))
    return pytorch_weights(of.run, a, b, picked.layer, picked.head)
