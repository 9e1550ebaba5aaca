"""The view "A trained head" of the page "Attention": where does one head of a trained model look?"""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, translated
from embedviz.figures.figure import Figure
from embedviz.figures.model.heads import head_maps
from embedviz.layers import head_patterns
from embedviz.layers.head_patterns import Picked
from embedviz.layers.heads import Heads, heads
from embedviz.programs.layers import pytorch_head
from embedviz.programs.next_word import pytorch_weights
from embedviz.text.tokens import words_first
from embedviz.ui import (
    BOUND,
    OPTIONS,
    Card,
    Guide,
    Picture,
    Program,
    View,
    label_of,
    one_of,
    stop_at_error,
    whole_number,
)
from embedviz.ui.inputs import controls, model_fields
from embedviz.ui.inputs.model_runs import LanguageModel, PairOutput, read_pair, rows
from embedviz.vectors.forward import Forward
from pages.attention import head_words
from pages.attention.head_words import about_head, head_in_words

_HEIGHT = ui.picture_height()


class Asked(NamedTuple):
    """The model, both sentences as it reads them with its positions, whether these are on, and the picked head.

    heads: what the model's heads do on any text; None for a small GPT.
    """

    model: LanguageModel
    texts: list[str]
    trained: PairOutput
    heads: Heads | None
    is_on: bool
    picked: Picked


class TrainedHead(NamedTuple):
    """What a head of a trained model looks at in both sentences.

    moved: A with the positions of its first token, a sink, and of its first word exchanged, where that shows something.
    without: both without positions, beside those with them.
    """

    model: LanguageModel
    both: PairOutput
    heads: Heads | None
    is_on: bool
    picked: Picked
    moved: Forward | None
    without: PairOutput | None


def fields(_frame: ui.Frame, model: LanguageModel) -> Asked:
    """Two sentences, and the head, of which only the weights say whether it can be one with a sink."""
    texts, row = model_fields.texts_and_place(model)
    below = st.container()
    with below, stop_at_error(), model_fields.waiting(model):
        trained = read_pair(model, texts, "on")
        known = None if model.run else heads(model.name)
    with row:
        is_on, picked = _controls(model, trained, known, below)
    return Asked(model, texts, trained, known, is_on, picked)


def trained_head(asked: Asked) -> TrainedHead:
    """Both sentences with positions on or off."""
    model, texts, trained, known, is_on, picked = asked
    off = read_pair(model, texts, "off") if model.can_move else None
    both = trained if is_on or off is None else off
    moved = _moved(model, both.a, picked) if is_on else None
    return TrainedHead(model, both, known, is_on, picked, moved, off if is_on else None)


def findings(result: TrainedHead) -> list[Card]:
    """Where the head looks, and what it is."""
    model, both, known, is_on, picked, moved, without = result
    return about_head(model, both, picked, known, is_on=is_on, moved=moved, without=without)


def pictures(result: TrainedHead) -> list[Picture]:
    """The weights over both sentences, and beside them all heads, of which a click picks one."""
    both, picked, board = result.both, result.picked, _board(result)
    maps = partial(
        ui.show,
        _figure(result, board),
        key="head",
        alt=head_in_words(both, picked, findings(result)[0], board.weights if board else None),
        height=_HEIGHT,
        on_pick=partial(pick_head, both.a.attentions.shape) if picked.of_all else None,
    )
    return [Picture(maps, "head")]


def note(result: TrainedHead) -> str:
    """Which heads count as sinks, where one is shown."""
    return head_words.about_sinks() if result.is_on and result.picked.n_sinks else ""


def _moved(model: LanguageModel, a: Forward, picked: Picked) -> Forward | None:
    """A with the positions of its first token, a sink, and of its first word exchanged.

    None where that shows nothing: a causal mask lets all tokens see the first one, wherever its positions say it is.
    """
    if not (picked.n_sinks and picked.place == "first" and model.is_encoder and model.scheme == "learned"):
        return None
    return model.read(a.tokens.text, "swapped", swap=(0, 1)) if len(a.tokens) > 2 else None


def _controls(
    model: LanguageModel, trained: PairOutput, known: Heads | None, own: DeltaGenerator
) -> tuple[bool, Picked]:
    """Whether positions are on, and the head."""
    sink = head_patterns.strongest_sink(trained.attentions, trained.a.tokens, is_causal=not model.is_encoder)
    offered = [name for name in OPTIONS["looks"] if name != "sink" or sink]
    with st.container(horizontal=True, vertical_alignment="center"):
        is_on = controls.positions_field(model.changes(), help=head_words.off()) == "on"
        look = one_of(_("The head looks at"), offered, key="looks", label_visibility="collapsed")
    if look == "sink" and sink:
        return is_on, sink
    layer, number = known.strongest(-1) if known else head_patterns.strongest(trained.attentions, "-1")
    return is_on, Picked(layer, number, "-1") if look == "before" else _own(own, trained, layer, number)


def _own(row: DeltaGenerator, trained: PairOutput, layer: int, number: int) -> Picked:
    """The head of one's own choice, which a click on the board picks too, and the place that the board is about."""
    at, one, other, _room = row.columns([2, 1, 1, 3])
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


def pick_head(shape: tuple[int, ...], trace: int, number: int, layer: int) -> None:
    """Take the head that was clicked on the board, which is the first trace. For callbacks."""
    if trace == 0 and 0 < layer <= shape[0] and 0 < number <= shape[1]:
        st.session_state.update({"layer": layer, "layer_head": number})


class Board(NamedTuple):
    """All heads of a model, (n_layers, H): their mean weight on the picked place, and what they are called."""

    weights: np.ndarray
    names: list[list[str]]


def _board(result: TrainedHead) -> Board | None:
    """All heads of a real model on any text, of a small GPT in A and B. None where one cannot pick any of them."""
    known, place = result.heads, result.picked.place
    if not result.picked.of_all:
        return None
    if not known:
        weights = head_patterns.shares(result.both.attentions, place)
        return Board(weights, np.full(weights.shape, "").tolist())
    names = [[translated(name) if name else "" for name in row] for row in known.names(is_on=result.is_on)]
    return Board(known.all_at(list(head_patterns.PLACES).index(place), is_on=result.is_on), names)


def _figure(result: TrainedHead, board: Board | None) -> Figure:
    both, picked = result.both, result.picked
    weights = [
        head_patterns.visible_weights(each[picked.layer, picked.head], is_causal=not result.model.is_encoder)
        for each in both.attentions
    ]
    framed = [head_patterns.cells(picked.place, len(each)) for each in weights]
    a, b = both.a.tokens, both.b.tokens
    return head_maps(
        weights,
        framed,
        (picked.layer, picked.head),
        ids=(a.ids, b.ids),
        texts=(a.texts, b.texts),
        colour_order=words_first(a, b),
        board=board.weights if board else None,
        names=board.names if board else (),
    )


def program(result: TrainedHead) -> Program:
    """The weights in PyTorch."""
    return Program(_program_text(result), rows=partial(rows, result.both))


def _program_text(result: TrainedHead) -> str:
    model, both, picked = result.model, result.both, result.picked
    a, b = both.placements
    if not model.run:
        return pytorch_head(model.name, a, b, picked.layer, picked.head)
    texts_of_a, texts_of_b = ((sentence.tokens.texts, placement) for sentence, placement in (a, b))
    return pytorch_weights(model.run, texts_of_a, texts_of_b, picked.layer, picked.head)


HEAD = View(
    page="attention",
    name="head",
    guide=Guide(
        N_(
            "Where does a trained head look? Switch the positions off and on. Under “All heads”, click one to see its "
            "weights."
        ),
        N_(
            "A table of positions says where a token stands, but language needs to know what stands before it. Some "
            "heads work that out from the places."
        ),
        "attention weights head layer position sink special intervention",
    ),
    settings=lambda frame: model_fields.reader_field(frame.settings(), frame.messages),
    fields=fields,
    compute=trained_head,
    waiting=lambda asked: model_fields.waiting(asked.model),
    findings=findings,
    pictures=pictures,
    note=note,
    program=program,
    examples=({}, {"positions": "off"}, {"looks": "own"}, {"looks": "sink"}),
)
