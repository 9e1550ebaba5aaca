"""The view "order" of the page "Attention": what one layer makes of two orders."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from embedviz import ui
from embedviz.attention.layer import MAX_HEADS
from embedviz.attention.two_sentences import Attended, AttentionCases, attention_cases, cases_of_model
from embedviz.base.i18n import N_, _, translated
from embedviz.figures.distances import copies_map
from embedviz.layers.positions import first_layer, has_first_layer
from embedviz.layers.runnable import runnable
from embedviz.models import hub_model
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.first_layer import pytorch_first_layer
from embedviz.programs.rows import of_attention
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import Tokens
from embedviz.training.bundled import BUNDLED
from embedviz.ui import BOUND, OPTIONS, Card, Guide, Picture, Program, View, turns, whole_number
from embedviz.ui.inputs import controls, model_fields, sentences
from embedviz.ui.inputs.fields import give_way
from embedviz.ui.inputs.model_fields import known_or_usual
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.sources import FINISHED, TRAINED, source_of
from embedviz.vectors.spec import MAX_OUTPUT_DIM, Spec
from pages.attention.words import about_attention, case_in_words, claim

_HEIGHT = ui.picture_height(2.2, 36)
# What only a layer of random numbers has: who asks for one of these gets such a layer first.
_RANDOM_ALONE = {"n_heads", "position", "position_scale", "source", "tokenizer", "output_dim", "seed"}


class Settings(NamedTuple):
    """What makes the Spec, and the layer: the first one of a model, or one of so many heads with random numbers."""

    backend: dict[str, Any]
    model: LanguageModel | None
    n_heads: int


class Sentences(NamedTuple):
    """The tokens of both sentences, which have one at least, and the layer. causal: whether its mask hides later ones.

    The mask is that of the case with positions. model, n_heads: see Settings.
    """

    tokens: list[Tokens]
    spec: Spec
    model: LanguageModel | None
    n_heads: int
    causal: bool


class Attentions(NamedTuple):
    """Both sentences and what the layer makes of them in three cases."""

    comparison: Comparison
    cases: AttentionCases
    model: LanguageModel | None
    n_heads: int
    causal: bool


def settings(frame: ui.Frame) -> Settings:
    """Whose layer attends: the first one of a model comes first, if a whole causal one is on this machine."""
    labels = OPTIONS["layer_of"]
    own = [name for name in runnable() if has_first_layer(name) and _has_room(name)]
    names = [*labels, *own] if _RANDOM_ALONE & {*st.query_params} else [*own, *labels]
    with frame.settings():
        give_way("layer_of", names[0])
        shown = {name: translated(labels.get(name, name)) for name in names}
        name = st.selectbox(_("Attention layer of"), names, format_func=shown.__getitem__, key="layer_of", **BOUND)
        if name != "random":
            model = LanguageModel(name)
            return Settings(_backend_of(model), model, 0)
        n_heads = whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=frame.messages)
        return Settings(controls.backend(seeded=True), None, n_heads)


def _has_room(name: str) -> bool:
    """Whether this server shows vectors as wide as those of the model."""
    return hub_model(name).layout().sum_dim <= MAX_OUTPUT_DIM


def fields(_frame: ui.Frame, settings: Settings) -> Sentences:
    """Two sentences, and whether a mask is used with positions. Nothing after them if one has no token."""
    backend, model, n_heads = settings
    left, right, beside = sentences.columns([2.6, 2.6, 3.3])
    texts = sentences.both(left, right)
    with beside, st.container(horizontal=True, vertical_alignment="bottom"):
        sentences.pair_picker((*texts, backend.get("prefix_space", True)), backend.get("tokenizer", "words"))
        causal = _causal_field(is_usual=bool(model))
    if model and model.run:
        texts = known_or_usual(model, texts, [usual_pair().a, usual_pair().b])
        spec, most = Spec(**backend), min(sentences.MAX_DRAWN, model.run.context_length)
    else:
        spec, most = sentences.spec_or_message(backend, *texts), sentences.MAX_DRAWN
    tokens = sentences.tokens((left, right), texts, spec, most)
    if not all(each.ids for each in tokens):
        ui.stop()
    return Sentences(tokens, spec, model, n_heads, causal)


def _backend_of(model: LanguageModel) -> dict[str, Any]:
    """What makes the Spec under which a model's tokens are compared. Its vectors are not shown here."""
    if model.run:
        if model.run == BUNDLED[FINISHED]:
            return {"source": TRAINED.name}
        known = tuple(model.small.vocabulary)
        return {"source": "random", "tokenizer": "words", "vocabulary": known, "position": model.scheme}
    return {"source": model.name, "tokenizer": Spec(source=model.name).tokenizer}


def _causal_field(*, is_usual: bool) -> bool:
    """Whether a token sees only itself and those before it, where there are positions too. is_usual: in this layer."""
    give_way("causal", is_usual)
    return st.toggle(
        _("Causal mask"),
        is_usual,
        key="causal",
        help=_("With positions, a token attends only to itself and to those before it, as in GPT-2."),
        **BOUND,
    )


def waiting(both: Sentences) -> AbstractContextManager[object]:
    """Others have their turn while tables are made, or while a model reads."""
    if both.model:
        return model_fields.waiting(both.model)
    return turns.release_lock(unless=sentences.are_ready(both.tokens, both.spec))


def attentions(both: Sentences) -> Attentions:
    """The layer over both sentences, in three cases."""
    tokens, spec, model, n_heads, causal = both
    if model:
        own = first_layer(model.small if model.run else model.name, *(each.ids for each in tokens))
        spec = spec if own.reads_positions else replace(spec, position="none")  # a layer may have none, as in SmolLM3
        comparison = compare(*sentences.embedded(tokens, spec))
        cases = cases_of_model(comparison, *own, causal)
    else:
        comparison = compare(*sentences.embedded(tokens, spec))
        cases = attention_cases(comparison, n_heads, causal)
    return Attentions(comparison, cases, model, n_heads, causal)


def claims(result: Attentions) -> list[Card]:
    """What each case shows."""
    return about_attention(result.cases, result.comparison, result.causal)


def pictures(result: Attentions) -> list[Picture]:
    """Three matrices side by side, each below what it shows; in a hall each of them has a slide."""
    if not result.comparison.n_shared:
        text = _("No token of A has the ID of a token of B: there is nothing to compare.")
        return [Picture(partial(st.info, text), None)]
    cases = {"plain": result.cases.plain, "chosen": result.cases.chosen, "masked": result.cases.masked}
    most = float(max(max(case.distances[case.shared].max(), case.unrelated or 0) for case in cases.values()) or 1.0)
    drawn = [
        (name, card, partial(_case, name, card, cases[name], most, result.comparison))
        for name, card in zip(cases, claims(result), strict=True)
    ]
    slides = [Picture(draw, name, claim=card, only_for="hall") for name, card, draw in drawn]
    return [Picture(partial(_side_by_side, [draw for _name, _card, draw in drawn]), None, only_for="reader"), *slides]


def _side_by_side(cases: Sequence[Callable[[], None]]) -> None:
    for column, draw in zip(st.columns(len(cases)), cases, strict=True):
        with column:
            draw()


def _case(name: str, card: Card, case: Attended, most: float, comparison: Comparison) -> None:
    ui.reader_cards([replace(card, text="")], key=f"case_{name}")
    figure = copies_map(case.distances, case.shared, case.unrelated, most, ids=comparison.ids, texts=comparison.texts)
    ui.show(figure, key=name, alt=case_in_words(card, case), height=_HEIGHT)
    ui.reader_caption(card.text)


def note(result: Attentions) -> str:
    """What the layer is."""
    if result.model:
        return _(
            "This is the first attention layer of {model}, with its own queries, keys and values, without residual "
            "connection or output matrix. It was trained with the causal mask.",
            model=result.model.title,
        )
    whose = source_of(result.comparison.a.spec.source).whose
    return _("{whose} One random attention layer without residual connection or output matrix.", whose=whose)


def program(result: Attentions) -> Program:
    """The three cases in PyTorch, and the outputs and weights of the chosen one to save."""
    comparison, cases, model, n_heads, causal = result
    a, b = comparison.a, comparison.b
    if model:
        text = pytorch_first_layer(model.run or model.name, a.tokens, b.tokens, causal)
    else:
        text = pytorch_attention(a, b, n_heads, causal)
    return Program(text, _("Attention and order"), rows=partial(of_attention, cases.chosen, comparison))


ORDER = View(
    page="attention",
    name="order",
    guide=Guide(
        N_(
            "Can attention tell two orders apart? A framed cell is a token and its copy in the other sentence: pale, "
            "at 0, if both come out the same."
        ),
        N_(
            "Attention gathers what stands around a token. Without positions and without a mask, the order of"
            " the others makes no difference."
        ),
        "attention query key value score weights head mask residual",
    ),
    settings=settings,
    fields=fields,
    compute=attentions,
    waiting=waiting,
    source=lambda both: both.spec.origin.name,
    claim=lambda result: [claim(result.cases, result.comparison)] if result.comparison.n_shared else [],
    pictures=pictures,
    note=note,
    program=program,
    examples=(
        {},
        {"layer_of": "small-gpt"},
        {"causal": "true"},
        {"n_heads": "7"},
        {"a": "cat", "b": "dog"},
        {"a": "", "b": "the"},
        {"position": "shaw", "causal": "true"},
    ),
)
