"""The whole way: two sentences through one model, from their tokens to its answer, in one picture."""

from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, translated
from embedviz.layers.runnable import runnable
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import Tokens
from embedviz.ui import turns
from embedviz.ui.components.cards.links import Link, link
from embedviz.ui.components.way.way import whole_way
from embedviz.ui.guide import Guide
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.fields import BOUND, give_way
from embedviz.ui.inputs.model_runs import RUNS
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.view import Picture, Program, View
from embedviz.ui.whole_way import pair
from embedviz.ui.whole_way.pair import AS_IT_FITS, Asked, WholeWay
from embedviz.ui.whole_way.words import headline, models_nearby, whole_picture
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec


def fields(_frame: ui.Frame, _settings: None) -> Asked:
    """Two sentences and a model."""
    left, right, beside = places = sentences.columns([2.1, 2.1, 4.4])
    texts = sentences.both(left, right)
    with beside, st.container(horizontal=True, vertical_alignment="bottom"):
        model = _model()
        # The fields of both are on the other views, and the session keeps what they or a pair have said.
        spaced = st.session_state.get("prefix_space", usual_pair().prefix_space)
        sentences.pair_picker((*texts, spaced), st.session_state.get("tokenizer", Spec().tokenizer))
        sentences.tour_link()
    if not all(text.strip() for text in texts):
        st.info(_("Write two sentences, for the model to read both."), icon=":material/edit:")
        ui.stop()
    if model in runnable():  # the small GPT refuses what it lacks, and without a choice nothing is lost
        with ui.stop_at_error(model), turns.release_lock():
            tokens = [tokenize_for(text, Spec(source=model)) for text in texts]
        for column, each in zip(places, tokens, strict=False):
            with column:
                sentences.say_if_lost(each)
    return Asked(texts, model)


def _model() -> str:
    give_way("reader", AS_IT_FITS)
    labels = OPTIONS["reader"]
    shown = {AS_IT_FITS: _("As it fits the sentences")} | {
        name: translated(labels.get(name, name)) for name in (*RUNS, *runnable())
    }
    return st.selectbox(_("Model"), list(shown), 0, format_func=shown.__getitem__, key="reader", **BOUND)


def claims(way: WholeWay) -> list[ui.Card]:
    """What the model makes of both, without positions and with them, or of a model without any."""
    (first, *more), full = way.traces.items(), way.full
    if not more:
        return [ui.Card(headline(full, is_on=True), "")]
    return [
        ui.Card(headline(first[1], is_on=False), "", stage="before"),
        ui.Card(headline(full, is_on=True), "", stage="after"),
    ]


def draw(way: WholeWay) -> None:
    """The picture, which answers when tokens of B are swapped, or a model is pressed."""
    picture = whole_picture(way)
    picture |= {"models": models_nearby(way), "links": links(way, picture["words"])}
    whole_way(picture, key="whole", on_swap=partial(_swap, way.full.b.tokens), on_model=_take_model)


def links(way: WholeWay, words: Mapping[str, Sequence[str]]) -> dict[str, Link]:
    """By columns, the pages that are about them, with both sentences and the model as far as a page takes them.

    words: the names of the columns.
    """
    a, b = (st.session_state[key] for key in ("a", "b"))
    both = {"a": a, "b": b}
    model = {"reader": way.reader.name} if way.reader else {}
    asked = {"gpt": way.reader.name} | both if way.reader else {}
    goals = {
        "tokens": ("tokenizers", both),
        "vectors": ("lookup/rows", both),
        "positions": ("positions/adding", both),
        "input": ("compare/pairs", both),
        "looks": ("layers/copies", both | model) if len(way.full.a.attentions) > 1 else ("attention/order", both),
        "after": ("layers/copies", both | model),
        "answer": ("layers/meaning", both | model) if way.is_encoder else ("next_word", asked),
    }
    return {name: link(words[name][0], at, urlencode(said)) for name, (at, said) in goals.items()}


def _take_model() -> None:
    """Take the model that was pressed. For callbacks."""
    if (name := st.session_state["whole"].model) in RUNS:
        st.session_state["reader"] = name


def _swap(b: Tokens) -> None:
    """Let two tokens of B change places. For callbacks."""
    places = st.session_state["whole"].swapped
    if isinstance(places, list) and len(places) == 2 and all(type(n) is int and 0 <= n < len(b) for n in places):
        st.session_state["b"] = swapped(st.session_state["b"], *(b.spans[n] for n in places))


def swapped(text: str, *spans: tuple[int, int]) -> str:
    """The text after two of its parts have changed places. The question and tokens like [CLS] are no parts of it."""
    (from_1, to_1), (from_2, to_2) = sorted(spans)
    if not from_1 < to_1 <= from_2 < to_2 <= len(text):
        return text
    if from_1 == 0 and text[from_2:to_2] != text[from_2:to_2].lstrip():  # GPT-2's tokens take the space before along
        from_2 += 1
    return text[:from_1] + text[from_2:to_2] + text[to_1:from_2] + text[from_1:to_1] + text[to_2:]


WHOLE = View(
    page="compare",
    name="whole",
    guide=Guide(
        N_("Switch the positions on and off, and see where two lines begin."),
        N_("Where order enters decides what a model can do with it, and each kind of model lets it in elsewhere."),
        "token vector positional input rms attention head mask",
    ),
    fields=fields,
    compute=pair.whole_way_of,
    claim=claims,
    pictures=lambda way: [Picture(partial(draw, way), "whole")],
    program=lambda way: Program(pair.program(way)),
    waiting=lambda asked: turns.release_lock(unless=pair.is_quick(asked)),
    source=lambda asked: asked.model or None,
    examples=(
        {},
        {"reader": "small-gpt-rope"},
        {"reader": "small-gpt-none-2"},
        {"a": "only I love you", "b": "I love only you"},
    ),
)
