"""The view "heads" of the page "Layers": all heads of a model by the place that they look at, and one of them."""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.figures.heads import head_board
from embedviz.layers import heads as places
from embedviz.layers.here import here
from embedviz.programs.layers import pytorch_head
from embedviz.ui import sentences
from embedviz.ui.fields import one_of, whole_number
from embedviz.ui.messages import stop, stop_at_error
from embedviz.ui.options import OPTIONS
from embedviz.ui.readers import positions_after, read_both, reader, rows, say_how_to_get_one, two_sentences, waiting
from pages.layers import words

_HEIGHT = "clamp(17rem, calc(100vh - 32rem), 40rem)"
_SHIFT = 200


def heads(page: ui.Frame) -> None:
    """Show where all heads look, and the weights of one of them over both sentences."""
    say_how_to_get_one(page.messages)
    if not here():
        stop()
    _heads()


@ui.part
def _heads() -> None:
    left, right, model = sentences.columns([3, 3, 2.4])
    of = reader(model, small=False)
    texts = two_sentences((left, right), of)
    controls, body = st.container(), st.container()
    with body, stop_at_error(), waiting(of):
        found = places.heads(of.name)
        with controls:
            run, place, layer, head = _controls(found)
        most = min(of.most_shifted(of.n_tokens(text)) for text in texts)
        change = {"off": "off", "shifted": "shifted"}.get(run, "trained")
        both = read_both(of, texts, change, max(0, min(_SHIFT, most)))
    ui.cards(words.about_heads(found, layer, head, place, of.scheme), key="about_heads")
    figure = head_board(
        found.weights[run][..., place],
        (layer, head),
        _names(found),
        (both.a.attentions[layer, head], both.b.attentions[layer, head]),
        ids=(both.a.tokens.ids, both.b.tokens.ids),
        texts=(both.a.tokens.texts, both.b.tokens.texts),
    )
    with ui.slide("heads"):
        alt = words.heads_in_words(found, run, place, layer, head)
        ui.show(figure, key="heads", alt=alt, height=_HEIGHT)
    text = pytorch_head(of.name, *both.each(positions_after), layer, head)
    ui.program(text, _("One head over two orders"), height=380, rows=partial(rows, both))


def _controls(board: places.Heads) -> tuple[str, int, int, int]:
    """What the heads are given, the place that the board is about, and the picked head, from 0."""
    n_layers, n_heads, _n_places = board.least.shape
    left, right = st.columns([3.2, 5], vertical_alignment="bottom")
    with left, ui.on_every_slide("seen"):
        offered = [name for name in OPTIONS["seen"] if name in board.weights]
        run = one_of(_("Given"), offered, key="seen", label_visibility="collapsed")
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        place = list(OPTIONS["place"]).index(one_of(_("Looks at"), OPTIONS["place"], key="place", usual="-1"))
        usual = np.unravel_index(board.least[..., places.OFFSETS.index(-1)].argmax(), (n_layers, n_heads))
        with st.container(width=100):
            layer = whole_number(_("Layer"), 1, n_layers, int(usual[0]) + 1, key="layer")
        with st.container(width=100):
            head = whole_number(_("Head"), 1, n_heads, int(usual[1]) + 1, key="layer_head")
    return run, place, layer - 1, head - 1


def _names(board: places.Heads) -> list[list[str]]:
    """What each head is called, "" where it has no name."""
    n_layers, n_heads, _n_places = board.least.shape
    names = [[board.name(layer, head) for head in range(n_heads)] for layer in range(n_layers)]
    return [[translated(name) if name else "" for name in row] for row in names]
