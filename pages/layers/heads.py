"""The view "heads" of the page "Layers": all heads of a model by the place that they look at, and one of them."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.figures.heads import head_board
from embedviz.layers import heads as places
from embedviz.layers.looks import seen
from embedviz.layers.runnable import runnable
from embedviz.programs.layers import pytorch_head
from embedviz.text.tokens import words_first
from embedviz.ui import BOUND, OPTIONS, bringing, label_of, one_of, presenting, stop, stop_at_error, whole_number
from embedviz.ui.reader_fields import reader_and_texts, say_how_to_get_one, waiting
from embedviz.ui.readers import positions_after, read_both, rows
from pages.layers import words

_HEIGHT = "clamp(17rem, calc(100vh - 32rem), 40rem)"
_SHIFT = 200


def heads(page: ui.Frame) -> None:
    """Show where all heads look, and the weights of one of them over both sentences."""
    say_how_to_get_one(page.messages)
    with page.settings():
        bringing.offer()
    if not runnable():
        stop()
    _heads()


@ui.part
def _heads() -> None:
    of, texts = reader_and_texts(small=False)
    controls, body = st.container(), st.container()
    with body, stop_at_error(), waiting(of):
        found = places.heads(of.name)
        with controls:
            run, place, layer, head = _controls(found)
        most = min(of.most_shifted(of.n_tokens(text)) for text in texts)
        change = {"off": "off", "shifted": "shifted"}.get(run, "trained")
        both = read_both(of, texts, change, max(0, min(_SHIFT, most)))
    cards = words.about_heads(found, run, layer, head, place, scheme=of.scheme)
    ui.findings(cards, key="about_heads")
    figure = head_board(
        found.weights[run][..., place],
        (layer, head),
        _names(found),
        [seen(each[layer, head], is_causal=not of.is_encoder) for each in both.attentions],
        ids=(both.a.tokens.ids, both.b.tokens.ids),
        texts=(both.a.tokens.texts, both.b.tokens.texts),
        colour_order=words_first(both.a.tokens, both.b.tokens),
    )
    with ui.slide("heads", brief=True):
        ui.finding(cards[0])
        alt = words.heads_in_words(found, run, place, layer, head)
        ui.show(figure, key="heads", alt=alt, height=_HEIGHT, on_pick=partial(_pick, found.least.shape))
    text = pytorch_head(of.name, *both.each(positions_after), layer, head)
    ui.program(text, _("One head over two orders"), height=380, rows=partial(rows, both))


def _controls(board: places.Heads) -> tuple[str, int, int, int]:
    """What the heads are given, the place that the board is about, and the picked head, from 0."""
    n_layers, n_heads, _n_places = board.least.shape
    usual = board.strongest(-1)
    offered, bare = [name for name in OPTIONS["seen"] if name in board.weights], {"label_visibility": "collapsed"}
    hall = presenting.is_on()  # in which two fields have a row, and a click picks the head
    row, numbers = (st.container(), st.container()) if hall else st.columns([7, 2], vertical_alignment="bottom")
    with row, ui.on_every_slide("seen"):
        given, looks = st.columns([1, 1] if hall else [5, 2], vertical_alignment="bottom")
        field = {"format_func": label_of("seen"), "key": "seen", **bare, **BOUND}
        run = (
            given.selectbox(_("Given"), offered, **field)
            if hall
            else one_of(_("Given"), offered, key="seen", place=given, **bare)
        )
        at = looks.selectbox(
            _("Looks at"), list(OPTIONS["place"]), 2, format_func=label_of("place"), key="place", **BOUND
        )
    one, other = numbers.columns(2, vertical_alignment="bottom")
    layer = whole_number(_("Layer"), 1, n_layers, int(usual[0]) + 1, key="layer", place=one)
    head = whole_number(_("Head"), 1, n_heads, int(usual[1]) + 1, key="layer_head", place=other)
    return run, list(OPTIONS["place"]).index(at), layer - 1, head - 1


def _pick(shape: tuple[int, int, int], trace: int, head: int, layer: int) -> None:
    """Take the head that was clicked on the board, which is the first trace. For callbacks."""
    if trace == 0 and 0 < layer <= shape[0] and 0 < head <= shape[1]:
        st.session_state.update({"layer": layer, "layer_head": head})


def _names(board: places.Heads) -> list[list[str]]:
    """What each head is called, "" where it has no name."""
    n_layers, n_heads, _n_places = board.least.shape
    names = [[board.name(layer, head) for head in range(n_heads)] for layer in range(n_layers)]
    return [[translated(name) if name else "" for name in row] for row in names]
