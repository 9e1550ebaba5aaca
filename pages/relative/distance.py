"""The view "By distance" of the page "Relative": which schemes weaken far tokens, and which leave that to the model."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.attention.one_head import N_HEADS
from embedviz.attention.t5_biases import FAR, NEAR, REACH, LearnedBiases, learned_biases
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, paragraph
from embedviz.base.numbers import in_print
from embedviz.figures.schemes.by_distance import by_distance
from embedviz.models import hub_model
from embedviz.positions import alibi
from embedviz.positions.rope_pairs import FAR_DIMS, FAR_SEED, MAX_REACH, N_RANDOM, NearAndFar, near_and_far
from embedviz.programs.rows import of_biases
from embedviz.programs.schemes.relative import pytorch_distance
from embedviz.ui import BOUND, Card, Guide, Picture, Program, View, extent, literal, text_within, turns

DEFAULT = "google-t5/t5-small"
_MOST_CHARACTERS = 200
_HEIGHT = ui.picture_height()


class Fields(NamedTuple):
    """The model whose learned biases are shown, and up to which distance."""

    model: str
    reach: int


class Distances(NamedTuple):
    """What each scheme makes of distances: ALiBi's biases, (H, R + 1), T5's, if they can be had, and RoPE's scores.

    why_not: in a clause, why there are no learned biases.
    """

    reach: int
    linear: np.ndarray
    learned: LearnedBiases | None
    why_not: str
    rope: NearAndFar


def settings(frame: ui.Frame) -> str:
    """A T5."""
    with frame.settings():
        label = _("T5 model on the Hugging Face Hub")
        help_ = _("Any model of the family T5, such as google-t5/t5-base or google/flan-t5-small.")
        return text_within(st.text_input, label, DEFAULT, _MOST_CHARACTERS, key="t5", help=help_).strip()


def fields(frame: ui.Frame, model: str) -> Fields:
    """A distance."""
    with frame.inputs, ui.on_every_slide("reach"):
        return Fields(model, st.slider(_("Up to distance"), 8, MAX_REACH, REACH, key="reach", **BOUND))


def distances(asked: Fields) -> Distances:
    """What the three schemes make of all distances up to the one that is asked for."""
    learned, why_not = _learned(asked.model, asked.reach)
    rope = near_and_far(asked.reach)
    return Distances(asked.reach, alibi.by_distance(rope.distances, alibi.slopes(N_HEADS)), learned, why_not, rope)


def pictures(result: Distances) -> list[Picture]:
    """The curves of the three schemes."""
    linear, learned, rope = result.linear, result.learned, result.rope
    t5 = (learned.distances, learned.by_distance, learned.ways.tolist()) if learned else None
    figure = by_distance(rope.distances, linear, t5, mean=rope.mean, spread=rope.spread)
    alt = alternative(linear, learned, rope)
    return [Picture(partial(ui.show, figure, key="distance", alt=alt, height=_HEIGHT))]


def program(result: Distances) -> Program:
    """The curves in PyTorch, and the learned biases to save."""
    rows = partial(of_biases, result.learned) if result.learned else None
    return Program(pytorch_distance(result.reach, result.learned), _("What schemes make of a distance"), rows=rows)


def _learned(name: str, reach: int) -> tuple[LearnedBiases | None, str]:
    """The biases of the model of this name; or None, and in a clause why they are not shown."""
    try:
        model = hub_model(name)
        with turns.release_lock():  # they may come from the Hub
            biases = learned_biases(model, reach)
        why_not = "" if biases else model.about_positions()
    except EmbedvizError as error:
        biases, why_not = None, str(error)
    return biases, left_out(name, why_not) if why_not else ""


def about_distance(linear: np.ndarray, learned: LearnedBiases | None, rope: NearAndFar) -> list[Card]:
    """Who weakens far tokens: one scheme by rule, one as it learned, and one not by itself."""
    steepest, flattest = (in_print(float(row[1]), ".3g") for row in (linear[0], linear[-1]))
    step = _(
        "Each step of distance adds {steepest} to a score in the first head, and {flattest} in the last one.",
        steepest=steepest,
        flattest=flattest,
    )
    random = _(
        "Scores of {n:,} random queries and keys have a mean of {mean} and a standard deviation of {spread} at every "
        "distance. For vectors of ones, which are often drawn, the score falls: from {near} to {far}.",
        n=N_RANDOM,
        mean=_span(rope.mean),
        spread=_span(rope.spread),
        near=in_print(float(rope.ones[0])),
        far=in_print(float(rope.ones[-1])),
    )
    neither = _("Queries and keys of a trained model are neither random nor ones.")
    t5 = [_about_t5(learned)] if learned else []
    need_not = Card(_("RoPE need not fade"), paragraph([random, neither]), "same")
    return [Card(_("With distance, ALiBi lowers scores by rule, and RoPE need not"), step, "different"), *t5, need_not]


def _about_t5(learned: LearnedBiases) -> Card:
    ways = learned.ways.tolist()
    counts = {"n": ways.count(-1), "m": ways.count(1), "n_heads": len(ways)}
    text = _(
        "{model} adds a learned number for each range of distances. A head falls or rises if its numbers at distances "
        "1 to {near} and {far} to {reach} differ by more than 1 on average.",
        model=learned.model.title,
        near=NEAR,
        far=FAR,
        reach=REACH,
    )
    return Card(_("T5 has learned it: {n} of {n_heads} heads fall, {m} rise", **counts), text)


def left_out(name: str, why_not: str) -> str:
    """The clause that stands for the biases of a model that cannot be shown."""
    return literal(_("T5’s learned biases are left out, since {model} cannot show any: {why}", model=name, why=why_not))


def as_computed() -> str:
    """How the curves are made, for who wants to know."""
    return _(
        "RoPE: a head of {n_dims} dimensions; scores are divided by √{n_dims}, and random numbers are standard normal "
        "(seed {seed}). Keys stand before the query, as under a causal mask. T5’s encoder has none.",
        n_dims=FAR_DIMS,
        seed=FAR_SEED,
    )


def _span(values: np.ndarray) -> str:
    low, high = in_print(float(values.min())), in_print(float(values.max()))
    return low if low == high else _("{low} to {high}", low=low, high=high)


def alternative(linear: np.ndarray, learned: LearnedBiases | None, rope: NearAndFar) -> str:
    """The curves for those who cannot see them."""
    said = _(
        "Charts over the distance from 0 to {reach}. ALiBi: {n_heads} straight lines that fall, {alibi}. RoPE: the "
        "mean of random pairs {mean}, their spread {spread}.",
        reach=int(rope.distances[-1]),
        n_heads=len(linear),
        alibi=extent(linear),
        mean=extent(rope.mean),
        spread=extent(rope.spread),
    )
    return paragraph([said, _head_by_head(learned) if learned else ""])


def _head_by_head(learned: LearnedBiases) -> str:
    """Each head's highest bias, and where it stands."""
    at, highest = learned.distances[learned.by_distance.argmax(axis=1)], learned.by_distance.max(axis=1)
    each = (
        _("Head {n} is highest at {distance}: {bias:.2f}.", n=n + 1, distance=int(at[n]), bias=highest[n])
        for n in range(len(highest))
    )
    return paragraph([_("T5: the biases of {model}.", model=learned.model.title), *each])


DISTANCE = View(
    page="relative",
    name="distance",
    guide=Guide(
        N_("Each line of ALiBi is a head. RoPE has the mean of random queries and keys, and their spread."),
        N_("It is often said that relative positions weaken far tokens. Some do so from the beginning; others leave "
           "it to training which distances count."),
        "scheme relative bias bucket rope query key weights training",
    ),
    settings=settings,
    fields=fields,
    compute=distances,
    findings=lambda result: about_distance(result.linear, result.learned, result.rope),
    pictures=pictures,
    note=lambda result: paragraph([result.why_not, as_computed()]),
    program=program,
    examples=({"t5": "no name"},),
)  # fmt: skip
