"""The view "meaning" of the page "Layers": does a model hear what an order means, or only that it is another?"""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, paragraph
from embedviz.base.numbers import in_print
from embedviz.figures.model.triples import triples_figure
from embedviz.layers.probe import SOURCE
from embedviz.layers.runnable import runnable
from embedviz.layers.triples import Likeness, Triple, likeness, triples
from embedviz.programs.layers import pytorch_likeness
from embedviz.programs.rows import of_likeness
from embedviz.ui import BOUND, Card, Guide, Picture, Program, View
from embedviz.ui.inputs import controls, download_field
from embedviz.ui.inputs.model_fields import reader, say_how_to_get_one, waiting
from embedviz.ui.inputs.model_runs import LanguageModel

_ONE = 1 - 1e-5  # a cosine that differs from 1 by rounding alone
_HEIGHT = ui.picture_height(1, 40)


class Asked(NamedTuple):
    """The model that reads all triples, with positions or without them, and which triple is picked, from 0."""

    model: LanguageModel
    is_on: bool
    picked: int


class Meaning(NamedTuple):
    """How near sentences are to other orders of their words, with the same meaning and with another."""

    asked: Asked
    likeness: Likeness


def settings(frame: ui.Frame) -> LanguageModel | None:
    """The model; None, and a message that says how to get one, where no real one is there."""
    say_how_to_get_one(frame.messages)
    sheet = frame.settings()
    with sheet:
        model = reader(sheet, runs=()) if runnable() else None
        download_field.download_field()
    return model


def fields(_frame: ui.Frame, model: LanguageModel | None) -> Asked:
    """The triple, and whether positions are on. Nothing, and nothing after it, without a model."""
    if not model:
        ui.stop()
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    known = {triple.sentence: n for n, triple in enumerate(triples())}
    picked = known[left.selectbox(_("Sentence"), known, key="triple", **BOUND)]
    is_on = controls.positions_field(model.changes(), place=right) == "on"
    return Asked(model, is_on, picked)


def meaning(asked: Asked) -> Meaning:
    """What the model makes of all triples."""
    return Meaning(asked, likeness(asked.model.name, positions=asked.is_on))


def findings(result: Meaning) -> list[Card]:
    """Which meaning is nearer, in all triples and in the picked one."""
    model, is_on, picked = result.asked
    return [
        *about_meaning(model, result.likeness, is_on=is_on),
        about_picked(triples()[picked], result.likeness, picked),
    ]


def pictures(result: Meaning) -> list[Picture]:
    """Two dots for each sentence."""
    figure = triples_figure(result.likeness, triples(), result.asked.picked)
    dots = partial(ui.show, figure, key="meaning", alt=in_words(result.likeness), height=_HEIGHT)
    return [Picture(dots, "meaning")]


def program(result: Meaning) -> Program:
    """The cosines in PyTorch."""
    text = pytorch_likeness(result.asked.model.name, result.likeness.tokens, positions=result.asked.is_on)
    return Program(text, rows=partial(of_likeness, result.likeness, triples()))


def about_meaning(model: LanguageModel, result: Likeness, *, is_on: bool) -> list[Card]:
    """Cards: which meaning is nearer, and whether that comes from how far tokens move; or what is left without it."""
    return [_nearer(result), *_moved(result)] if is_on else [_off(model, result)]


def _nearer(result: Likeness) -> Card:
    title = _(
        "In {n} of {total} sentences, another meaning is nearer than the same meaning",
        n=int(result.is_reversed.sum()),
        total=len(result.same),
    )
    said = [
        _(
            "On average, an order with the same meaning has a cosine of {same} with its sentence, and one with another "
            "meaning {other}; two unrelated sentences have {apart}.",
            **{name: in_print(getattr(result, name).mean(), ".3f") for name in ("same", "other", "apart")},
        )
    ]
    if result.other.mean() >= result.same.mean() and max(result.same.max(), result.other.max()) < _ONE:
        said.append(_("So the model hears that the order is another one, and hardly what it means."))
    return Card(title, paragraph(said), "different")


def _moved(result: Likeness) -> list[Card]:
    """Whether another meaning is nearer only because its tokens have moved less."""
    same, other = result.moved.T
    farther, less = (
        {"n": int(result.is_reversed[which].sum()), "total": int(which.sum())} for which in (other > same, other < same)
    )
    if not (farther["total"] and less["total"]):
        return []
    said = [
        _("An order may be nearer because its tokens have moved less."),
        _("Of the {total} sentences whose other meaning moves them less, it is nearer in {n}.", **less),
        _("A model that went by meaning alone would have 0 in both."),
    ]
    title = _("Where another meaning moves tokens farther, it is nearer in {n} of {total}", **farther)
    return [Card(title, paragraph(said))]


def _off(model: LanguageModel, result: Likeness) -> Card:
    """What is left without positions: the control of the experiment."""
    what = [
        _("Nothing is added for positions here, and nothing is turned."),
        _("The model never met that in training: this is an intervention."),
    ]
    orders = np.concatenate([result.same, result.other])
    if orders.min() > _ONE:
        same = _("Each order of a sentence has the cosine 1.000 with it, whatever it means.")
        differs = _("So the model still tells other words apart.") if result.apart.max() < _ONE else ""
        title = _("Without positions, all orders of a sentence are one to {model}", model=model.title)
        return Card(title, paragraph([*what, same, _apart(result), differs]), "same")
    mask = _("Order still gets in, since a token sees only itself and those before it.") if not model.is_encoder else ""
    said = _("Another order has a cosine of {cosines} with its sentence.", cosines=_spread(orders))
    return Card(_("Without positions"), paragraph([*what, mask, said, _apart(result)]))


def about_picked(triple: Triple, result: Likeness, at: int) -> Card:
    """How near both orders of one sentence are."""
    said = [
        _("“{order}” means the same: {cosine}.", order=triple.same, cosine=in_print(result.same[at], ".3f")),
        _("“{order}” means something else: {cosine}.", order=triple.other, cosine=in_print(result.other[at], ".3f")),
    ]
    return Card(f"“{triple.sentence}”", paragraph(said))


def _apart(result: Likeness) -> str:
    return _("Two unrelated sentences have {cosines}.", cosines=_spread(result.apart))


def _spread(values: np.ndarray) -> str:
    mean, low, high = (in_print(value, ".3f") for value in (values.mean(), values.min(), values.max()))
    return _("{mean} on average ({low} to {high})", mean=mean, low=low, high=high)


def in_words(result: Likeness) -> str:
    """The text alternative of the dots."""
    return paragraph([
        _("Three rows of dots, which show cosines with {n} sentences.", n=len(result.same)),
        _("Another order with the same meaning: {cosines}.", cosines=_spread(result.same)),
        _("Another order with another meaning: {cosines}.", cosines=_spread(result.other)),
        _apart(result),
    ])  # fmt: skip


def as_measured(model: LanguageModel, n: int) -> str:
    """Where the sentences come from, what is compared, and of how much this is true."""
    said = [
        _(
            "Each of the {n} English sentences was written for this page with two other orders of exactly its words, "
            "before any model had read it. Its vector is the mean over its tokens after the last layer. Any two of the "
            "{n} are called unrelated.",
            n=n,
        ),
        _("Another model than {model} may do otherwise.", model=model.title),
    ]
    if model.name == SOURCE:
        said.append(
            _("This one was trained on pairs of sentences, so that those of similar meaning get similar vectors.")
        )
    return paragraph(said)


MEANING = View(
    page="layers",
    name="meaning",
    guide=Guide(
        N_(
            "Each line is a sentence: a dot for an order with the same meaning, a diamond for one with another. The "
            "farther to the right, the more alike to the model."
        ),
        N_(
            "Searches by meaning compare such vectors. They can keep apart who did what to whom only as far as the "
            "vectors do."
        ),
        "cosine mean position mask layer token intervention",
    ),
    settings=settings,
    fields=fields,
    compute=meaning,
    waiting=lambda asked: waiting(asked.model),
    findings=findings,
    pictures=pictures,
    note=lambda result: as_measured(result.asked.model, len(triples())),
    program=program,
    examples=({}, {"positions": "off"}),
)
