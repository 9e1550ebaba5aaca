"""The view "meaning" of the page "Layers": does a model hear what an order means, or only that it is another?"""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.figures.triples import triples_figure
from embedviz.layers.probe import SOURCE
from embedviz.layers.runnable import runnable
from embedviz.layers.triples import Likeness, Triple, likeness, triples
from embedviz.programs.layers import pytorch_likeness
from embedviz.programs.rows import of_likeness
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs import bringing
from embedviz.ui.inputs.fields import BOUND
from embedviz.ui.inputs.readers import reader, say_how_to_get_one, waiting
from embedviz.ui.inputs.reading import Reader

_ONE = 1 - 1e-5  # a cosine that differs from 1 by rounding alone
_HEIGHT = "clamp(18rem, calc(100vh - 27.5rem), 40rem)"


def meaning(page: ui.Frame) -> None:
    """Show how near sentences are to other orders of their words, with the same meaning and with another."""
    say_how_to_get_one(page.messages)
    with page.settings():
        of = reader(st, runs=()) if runnable() else None
        bringing.offer()
    if of:
        _meaning(of)


@ui.part
def _meaning(of: Reader) -> None:
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    known = {each.sentence: n for n, each in enumerate(triples())}
    at = known[left.selectbox(_("Sentence"), known, key="triple", **BOUND)]
    with right, ui.on_every_slide("added", by_key=True):
        is_on = of.scheme == "alibi" or st.toggle(_("Positions"), True, key="added", **BOUND)
    with ui.stop_at_error(), waiting(of):
        found = likeness(of.name, positions=is_on)
    cards = [*about_meaning(of, found, is_on=is_on), about_picked(triples()[at], found, at)]
    ui.findings(cards, key="about_meaning")
    with ui.slide("meaning", brief=True):
        ui.finding(cards[0])
        ui.show(triples_figure(found, triples(), at), key="meaning", alt=in_words(found), height=_HEIGHT)
    ui.aside(as_measured(of, len(triples())))
    text = pytorch_likeness(of.name, found.tokens, positions=is_on)
    ui.program(text, _("Order and meaning"), height=380, rows=partial(of_likeness, found, triples()))


def about_meaning(of: Reader, found: Likeness, *, is_on: bool) -> list[Card]:
    """Cards: which meaning is nearer, and whether that comes from how far tokens move; or what is left without it."""
    return [_nearer(found), *_moved(found)] if is_on else [_off(of, found)]


def _nearer(found: Likeness) -> Card:
    title = _(
        "In {n} of {total} sentences, another meaning is nearer than the same meaning",
        n=int(found.is_reversed.sum()),
        total=len(found.same),
    )
    said = [
        _(
            "On average, an order with the same meaning has a cosine of {same} with its sentence, and one with another "
            "meaning {other}; two unrelated sentences have {apart}.",
            **{name: in_print(getattr(found, name).mean(), ".3f") for name in ("same", "other", "apart")},
        )
    ]
    if found.other.mean() >= found.same.mean() and max(found.same.max(), found.other.max()) < _ONE:
        said.append(_("So the model hears that the order is another one, and hardly what it means."))
    return Card(title, paragraph(said), "different")


def _moved(found: Likeness) -> list[Card]:
    """Whether another meaning is nearer only because its tokens have moved less."""
    same, other = found.moved.T
    farther, less = (
        {"n": int(found.is_reversed[which].sum()), "total": int(which.sum())} for which in (other > same, other < same)
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


def _off(of: Reader, found: Likeness) -> Card:
    """What is left without positions: the control of the experiment."""
    what = [
        _("Nothing is added for positions here, and nothing is turned."),
        _("The model never met that in training: this is an intervention."),
    ]
    orders = np.concatenate([found.same, found.other])
    if orders.min() > _ONE:
        same = _("Each order of a sentence has the cosine 1.000 with it, whatever it means.")
        differs = _("So the model still tells other words apart.") if found.apart.max() < _ONE else ""
        title = _("Without positions, all orders of a sentence are one to {model}", model=of.title)
        return Card(title, paragraph([*what, same, _apart(found), differs]), "same")
    mask = _("Order still gets in, since a token sees only those before it.") if not of.is_encoder else ""
    said = _("Another order has a cosine of {cosines} with its sentence.", cosines=_spread(orders))
    return Card(_("Without positions"), paragraph([*what, mask, said, _apart(found)]))


def about_picked(triple: Triple, found: Likeness, at: int) -> Card:
    """How near both orders of one sentence are."""
    said = [
        _("“{order}” means the same: {cosine}.", order=triple.same, cosine=in_print(found.same[at], ".3f")),
        _("“{order}” means something else: {cosine}.", order=triple.other, cosine=in_print(found.other[at], ".3f")),
    ]
    return Card(f"“{triple.sentence}”", paragraph(said))


def _apart(found: Likeness) -> str:
    return _("Two unrelated sentences have {cosines}.", cosines=_spread(found.apart))


def _spread(values: np.ndarray) -> str:
    mean, low, high = (in_print(each, ".3f") for each in (values.mean(), values.min(), values.max()))
    return _("{mean} on average ({low} to {high})", mean=mean, low=low, high=high)


def in_words(found: Likeness) -> str:
    """The text alternative of the dots."""
    return paragraph([
        _("Three rows of dots, which show cosines with {n} sentences.", n=len(found.same)),
        _("Another order with the same meaning: {cosines}.", cosines=_spread(found.same)),
        _("Another order with another meaning: {cosines}.", cosines=_spread(found.other)),
        _apart(found),
    ])  # fmt: skip


def as_measured(of: Reader, n: int) -> str:
    """Where the sentences come from, what is compared, and of how much this is true."""
    said = [
        _(
            "Each of the {n} English sentences was written for this page with two other orders of exactly its words, "
            "before any model had read it. Its vector is the mean over its tokens after the last layer. Any two of the "
            "{n} are called unrelated.",
            n=n,
        ),
        _("Another model than {model} may do otherwise.", model=of.title),
    ]
    if of.name == SOURCE:
        said.append(
            _("This one was trained on pairs of sentences, so that those of similar meaning get similar vectors.")
        )
    return paragraph(said)
