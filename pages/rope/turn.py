"""The view "Pairs turn" of the page "RoPE": a query and a key as hands of clocks, pair by pair."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, translated
from embedviz.base.numbers import in_print
from embedviz.figures.figure import Figure
from embedviz.figures.schemes import clocks as clock_charts
from embedviz.layers.positions import has_turned_heads, turned_heads
from embedviz.layers.runnable import runnable
from embedviz.positions.rope_pairs import MAX_POSITION, MAX_SHIFT, Clocks, clocks
from embedviz.programs.schemes.rope import pytorch_clocks
from embedviz.programs.schemes.turned import OwnHead, pytorch_own_clocks
from embedviz.text.questions import asked
from embedviz.text.samples import usual_pair
from embedviz.ui import BOUND, OPTIONS, Guide, Picture, Program, View, lessons, presenting, stop_at_error, whole_number
from embedviz.ui.inputs.fields import give_way
from embedviz.ui.inputs.model_fields import known_or_usual, waiting
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.ui.inputs.sentences import written
from pages.rope import pair_words as words

_MOVED = 30  # positions
_HEIGHT = ui.picture_height(1.2)
_RANDOM_AT = (12, 8)  # the positions of a random query and key
_MOST_LAYERS = 200  # that a model may have, and heads that a layer may have


class Settings(NamedTuple):
    """Whose query and key, None for random numbers; and of which layer and head, from 1, None for the clearest one."""

    model: LanguageModel | None
    layer: int | None
    head: int | None


class Asked(NamedTuple):
    """Where the query and the key stand, by how many positions both are moved, and whose they are."""

    places: tuple[int, int, int]
    own: OwnHead | None


class TurnedPairs(NamedTuple):
    """The pairs of the query and the key at their places, as clocks."""

    places: tuple[int, int, int]
    own: OwnHead | None
    clocks: Clocks


def settings(frame: ui.Frame) -> Settings:
    """Whose query and key: those of a model come first, and random numbers last."""
    names, labels = [*_with_rope(), *OPTIONS["pair_of"]], OPTIONS["pair_of"]
    with frame.settings():
        give_way("pair_of", names[0])
        shown = {name: translated(labels.get(name, name)) for name in names}
        name = st.selectbox(_("Query and key of"), names, format_func=shown.__getitem__, key="pair_of", **BOUND)
        if name == "random":
            return Settings(None, None, None)
        layer = whole_number(_("Layer"), 1, _MOST_LAYERS, None, key="layer", below=frame.messages)
        head = whole_number(_("Head"), 1, _MOST_LAYERS, None, key="layer_head", below=frame.messages)
    return Settings(LanguageModel(name), layer, head)


def _with_rope() -> Sequence[str]:
    """The causal models of this machine that have RoPE, and whose queries and keys can be read."""
    return [*filter(has_turned_heads, runnable())]


def fields(frame: ui.Frame, settings: Settings) -> Asked:
    """Where the two tokens stand. Both tokens move there once when the page comes."""
    own = _own(frame, settings)
    usual = (own.query_at, own.key_at) if own else _RANDOM_AT
    query, key, both = frame.inputs.columns([1, 1, 1.4])
    query_at, key_at = (
        _position(place, label, at, name)
        for place, label, at, name in (
            (query, _("Position of the query"), usual[0], "query_at"),
            (key, _("Position of the key"), usual[1], "key_at"),
        )
    )
    with both, ui.on_every_slide("both"):
        help_ = _("How many tokens stand before these two.")
        # They move once by themselves, but not in a hall, nor before the question of a lesson.
        moved = 0 if presenting.is_on() or lessons.is_on() else _MOVED
        give_way("both_at", moved)
        both_at = st.slider(_("Move both by"), 0, MAX_SHIFT, moved, key="both_at", help=help_, **BOUND)
    return Asked((query_at, key_at, both_at), own)


def _position(place: DeltaGenerator, label: str, at: int, key: str) -> int:
    give_way(key, at)
    return place.slider(label, 0, MAX_POSITION, at, key=key, **BOUND)


def _own(frame: ui.Frame, settings: Settings) -> OwnHead | None:
    """The query of the last token of A, and the key of the one that it looks at, in the head that is asked for."""
    model, layer, head = settings
    if not model:
        return None
    with frame.messages, stop_at_error(model.name):
        text = _text(model)
        with waiting(model):
            heads = turned_heads(model.small if model.run else model.name, text)
        n_layers, n_heads = len(heads.speeds), len(heads.weights[0])  # a number may be of another model
        at = heads.strongest(layer and min(layer, n_layers) - 1, head and min(head, n_heads) - 1)
    return OwnHead(model.run, model.title, text, heads, *at)


def _text(model: LanguageModel) -> str:
    """Sentence A, with the question after it that a small GPT can be asked."""
    usual = usual_pair()
    texts = [written("a", usual.a), written("b", usual.b)]
    if not model.run:
        return texts[0] if texts[0].strip() else usual.a
    known = known_or_usual(model, texts, (usual.a, usual.b)) if all(map(str.strip, texts)) else (usual.a, usual.b)
    return asked(known)[0]


def turned(asked_for: Asked) -> TurnedPairs:
    """The query and the key at their places."""
    places, own = asked_for
    return TurnedPairs(places, own, clocks(*places, own.pair if own else None))


def figure(result: TurnedPairs) -> Figure:
    """A clock for each pair, with the query and the key as its hands, and above them the score, if both moved."""
    pairs = result.clocks
    drawn = [
        clock_charts.Clock(
            _("Pair {n}", n=n),
            pairs.queries[:, n],
            pairs.keys[:, n],
            words.beside_clock(pairs, n),
            f"<b>{n}:</b> {in_print(float(pairs.angles[n]), '.0f')}°",  # below it, in large type and on a phone
            pairs.unmoved[n] if pairs.moved_by else None,
        )
        for n in pairs.drawn
    ]
    return clock_charts.clocks(drawn, words.scores(pairs) if pairs.moved_by else "", own_scales=bool(result.own))


def pictures(result: TurnedPairs) -> list[Picture]:
    """The clocks; below them, for readers, how they are made."""
    alt = words.clocks_in_words(result.clocks, result.own)
    return [
        Picture(partial(ui.show, figure(result), key="clocks", alt=alt, height=_HEIGHT)),
        Picture(partial(ui.reader_caption, words.about_hands(result.clocks, result.own)), None, only_for="reader"),
    ]


def program(result: TurnedPairs) -> Program:
    """The angles and shares in PyTorch."""
    places, own = result.places, result.own
    text = pytorch_own_clocks(*places, own) if own else pytorch_clocks(*places)
    return Program(text, _("Pairs that turn"))


TURN = View(
    page="rope",
    name="turn",
    guide=Guide(
        N_("Each clock is a pair of dimensions: one hand is the query, the other the key. Move both tokens: pale hands "
           "show where they were."),
        N_("When both tokens move, both hands turn alike: the angle stays, and with it the score. So the score "
           "depends on how far apart they are, not on where they stand."),
        "rope pair query key score relative partial",
    ),
    settings=settings,
    fields=fields,
    compute=turned,
    findings=lambda result: words.about_clocks(result.clocks, result.own),
    pictures=pictures,
    note=lambda _result: words.about_real_models(),
    program=program,
    examples=({}, {"pair_of": "random"}, {"both_at": "0"}),
)  # fmt: skip
