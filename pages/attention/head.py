"""The view "A trained head" of the page "Attention": where does one head of a trained model look?"""

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.figures.figure import Figure
from embedviz.figures.heads import head_maps
from embedviz.layers import head_patterns
from embedviz.layers.head_patterns import Picked
from embedviz.layers.heads import Heads, heads
from embedviz.programs.layers import pytorch_head
from embedviz.programs.next_word import pytorch_weights
from embedviz.text.samples import pairs
from embedviz.text.tokens import words_first
from embedviz.ui import BOUND, OPTIONS, label_of, one_of, presenting, stop_at_error, whole_number
from embedviz.ui.inputs import bringing, readers
from embedviz.ui.inputs.reading import Both, Reader, read_both, rows
from embedviz.vectors.forward import Forward
from pages.attention import head_words
from pages.attention.head_words import about_head, head_in_words

_HEIGHT = "clamp(17rem, calc(100vh - 27.5rem), 40rem)"


def head(page: ui.Frame) -> None:
    """Show the weights of a trained head over both sentences. Positions are off until the reader switches them on."""
    readers.say_how_to_get_one(page.messages)
    with page.settings():
        bringing.offer()
    page.lead()
    _head()


@ui.part
def _head() -> None:
    of, texts = readers.reader_and_texts(usual=(pairs()[0].a, pairs()[0].b))
    controls, body = st.container(), st.container()
    with body, stop_at_error(), readers.waiting(of):
        trained = read_both(of, texts, "trained")
        known = None if of.run else heads(of.name)
        with controls:
            is_on, picked = _controls(of, trained, known)
        both = trained if is_on else read_both(of, texts, "off")
        moved = _moved(of, both.a, picked) if is_on else None
    cards = about_head(of, both, picked, known, is_on=is_on, moved=moved)
    ui.cards(cards, key="about_head")
    board = _board(both, picked, known, is_on=is_on)
    with ui.slide("head", brief=True):
        alt = head_in_words(both, picked, cards[0], board.get("board"))
        on_pick = partial(_pick, trained.a.attentions.shape) if picked.of_all else None
        ui.show(_figure(of, both, picked, board), key="head", alt=alt, height=_HEIGHT, on_pick=on_pick)
    if is_on and picked.n_sinks:
        ui.aside(head_words.about_sinks())
    ui.program(_program(of, both, picked), _("A trained head"), height=380, rows=partial(rows, both))


def _moved(of: Reader, a: Forward, picked: Picked) -> Forward | None:
    """A with the positions of its first token, a sink, and of its first word exchanged.

    None where that shows nothing: a causal mask lets all tokens see the first one, wherever its positions say it is.
    """
    if not (picked.n_sinks and picked.place == "first" and of.is_encoder and of.scheme == "learned"):
        return None
    return of.read(a.tokens.text, "swapped", swap=(0, 1)) if len(a.tokens) > 2 else None


def _controls(of: Reader, trained: Both, known: Heads | None) -> tuple[bool, Picked]:
    """Whether positions are on, and the head."""
    is_fixed = None if of.can_move else of.scheme != "none"  # on or off, where neither can be changed
    sink = head_patterns.strongest_sink(trained.attentions, trained.a.tokens, is_causal=not of.is_encoder)
    offered = [name for name in OPTIONS["looks"] if name != "sink" or sink]
    hall = presenting.is_on()  # in which a click picks the head
    row, own = (st.container(), st.container()) if hall else st.columns([5, 4], vertical_alignment="bottom")
    with row, ui.on_every_slide("on", by_key=True), st.container(horizontal=True, vertical_alignment="center"):
        is_on = st.toggle(
            _("Positions"), is_fixed is True, key="on", disabled=is_fixed is not None, help=head_words.off(), **BOUND
        )
        look = one_of(_("The head looks at"), offered, key="looks", label_visibility="collapsed")
    is_on = is_on if is_fixed is None else is_fixed
    if look == "sink":
        return is_on, sink
    layer, number = known.strongest(-1) if known else head_patterns.strongest(trained.attentions, "-1")
    return is_on, Picked(layer, number, "-1") if look == "before" else _own(own, trained, layer, number)


def _own(row: DeltaGenerator, trained: Both, layer: int, number: int) -> Picked:
    """The head of one's own choice, which a click on the board picks too, and the place that the board is about."""
    at, one, other = row.columns([2, 1, 1])
    place = at.selectbox(
        _("Looks at"),
        list(OPTIONS["place"]),
        list(OPTIONS["place"]).index("-1"),
        format_func=label_of("place"),
        key="place",
        **BOUND,
    )
    n_layers, n_heads = trained.a.attentions.shape[:2]
    layer = whole_number(_("Layer"), 1, n_layers, layer + 1, key="layer", place=one) - 1
    number = whole_number(_("Head"), 1, n_heads, number + 1, key="layer_head", place=other) - 1
    return Picked(layer, number, place, of_all=True)


def _pick(shape: tuple[int, ...], trace: int, number: int, layer: int) -> None:
    """Take the head that was clicked on the board, which is the first trace. For callbacks."""
    if trace == 0 and 0 < layer <= shape[0] and 0 < number <= shape[1]:
        st.session_state.update({"layer": layer, "layer_head": number})


def _board(both: Both, picked: Picked, known: Heads | None, *, is_on: bool) -> dict[str, object]:
    """All heads' names, and their mean weight on the place: of a real model on any text, of a small GPT in A and B."""
    if not picked.of_all:
        return {}
    if not known:
        board = head_patterns.shares(both.attentions, picked.place)
        return {"board": board, "names": np.full(board.shape, "").tolist()}
    names = [[translated(name) if name else "" for name in row] for row in known.names(is_on=is_on)]
    return {"board": known.all_at(list(head_patterns.PLACES).index(picked.place), is_on=is_on), "names": names}


def _figure(of: Reader, both: Both, picked: Picked, board: dict[str, object]) -> Figure:
    weights = [
        head_patterns.visible_weights(each[picked.layer, picked.head], is_causal=not of.is_encoder)
        for each in both.attentions
    ]
    framed = [head_patterns.cells(picked.place, len(each)) for each in weights]
    tokens = (both.a.tokens, both.b.tokens)
    ids, texts = (tuple(getattr(each, name) for each in tokens) for name in ("ids", "texts"))
    at = (picked.layer, picked.head)
    return head_maps(weights, framed, at, ids=ids, texts=texts, colour_order=words_first(*tokens), **board)


def _program(of: Reader, both: Both, picked: Picked) -> str:
    if not of.run:
        return pytorch_head(of.name, *both.placements, picked.layer, picked.head)
    a, b = ((each.tokens.texts, placement) for each, placement in both.placements)
    return pytorch_weights(of.run, a, b, picked.layer, picked.head)
