"""What the page "Training" shows of a run: words, positions, what order is worth, and its program."""

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from embedviz.base.i18n import N_, _, translated
from embedviz.base.numbers import in_print
from embedviz.figures.drift import position_tables, word_drift
from embedviz.figures.losses import LossCurve, loss_curves
from embedviz.programs.rows import of_run
from embedviz.programs.training import pytorch_training
from embedviz.training import drift
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui import alt_text, presenting
from embedviz.ui.components.cards import Card, cards
from embedviz.ui.components.plot import show
from embedviz.ui.program import fold, listing, take_along

_HEIGHT = "clamp(19rem, calc(100vh - 22.5rem), 42rem)"
ORDER = (N_("in order"), N_("without positions"), N_("shuffled"))


def words(runs: Sequence[Run]) -> None:
    """Token vectors that drift into classes, and the loss that drives them."""
    run = runs[0]
    found = drift.words(run)
    left, right = st.columns([2.8, 1])
    with left:
        drawn = (found.points, found.explained, run.vocabulary, found.classes, run.steps.tolist())
        figure = word_drift(*drawn, plays=run.is_finished, is_large=presenting.is_on())
        show(figure, key="words", alt=alt_text.words(run, found), height=_HEIGHT)
    with right:
        _losses(run)
    if run.has_begun and not presenting.is_on():
        cards(about_words(run, found), key="about_words")


def _losses(run: Run) -> None:
    curve = LossCurve("", run.losses, run.steps, run.held_out)
    figure = loss_curves([curve], run.settings.steps, math.log(len(run.vocabulary)), moving=run.is_finished)
    alt = _(
        "The loss on held-out windows by step: from {before:.2f} to {after:.2f}.",
        before=run.held_out[0],
        after=run.held_out[-1],
    )
    show(figure, key="loss", alt=alt, height=_HEIGHT, is_aside=True)


def about_words(run: Run, found: drift.Words) -> list[Card]:
    """The loss, the nearest neighbours, and the lengths, before and after."""
    return [
        _loss(run),
        *([_neighbours(run, found)] if not run.settings.text else []),
        Card(
            _("Mean length {before:.2f} → {after:.2f}", before=found.lengths[0], after=found.lengths[-1]),
            _(
                "Of {n:,} token vectors in {n_dims} dimensions. They began as random numbers with a standard "
                "deviation of 0.02.",
                n=len(run.vocabulary),
                n_dims=run.tokens.shape[2],
            ),
        ),
    ]


def _loss(run: Run) -> Card:
    first, last, n = float(run.held_out[0]), float(run.held_out[-1]), len(run.vocabulary)
    return Card(
        _("Loss {first:.2f} → {last:.2f}", first=first, last=last),
        " ".join(
            (
                _("On windows held out of the training, in nats a word.")
                if run.settings.text
                else _("On sentences held out of the training, in nats a word."),
                _(
                    "Giving each of the {n:,} words the same chance costs ln {n:,} = {loss:.2f}.",
                    n=n,
                    loss=math.log(n),
                ),
            )
        ),
        "same" if last < first else "different",
    )


def _neighbours(run: Run, found: drift.Words) -> Card:
    before, after = int(found.same_class[0]), int(found.same_class[-1])
    return Card(
        _("Same-class neighbour: {before} → {after} of {total}", before=before, after=after, total=found.counted),
        _(
            "Words whose nearest word, by cosine over all {n_dims} dimensions, is of their class. Nobody "
            "told the model the classes.",
            n_dims=run.tokens.shape[2],
        ),
        "same" if after > before else "plain",
    )


def positions(runs: Sequence[Run]) -> None:
    """The positional table and the similarity of its rows."""
    run = runs[0]
    found = drift.positions(run)
    figure = position_tables(run.positions, found.similarity, run.steps.tolist())
    show(figure, key="positions_drift", alt=alt_text.positions(run, found), height=_HEIGHT)
    if run.has_begun and not presenting.is_on():
        cards(about_positions(run, found), key="about_positions")


def about_positions(run: Run, found: drift.Positions) -> list[Card]:
    """The similarity of near and of far positions, and the lengths, before and after."""
    half = run.positions.shape[1] // 2
    if not run.settings.positions:
        text = _("Positions are switched off, so this table takes no part and keeps its first random numbers.")
        return [_loss(run), Card(_("Not used"), text)]
    return [
        Card(
            _("Neighbours: cosine {before} → {after}", before=in_print(found.near[0]), after=in_print(found.near[-1])),
            _("Mean over each position and the next."),
            "same" if found.near[-1] > found.near[0] else "plain",
        ),
        Card(
            _("Far apart: cosine {before} → {after}", before=in_print(found.far[0]), after=in_print(found.far[-1])),
            _("Mean over positions at least {half} apart.", half=half),
        ),
        Card(
            _("Mean length {before:.2f} → {after:.2f}", before=found.lengths[0], after=found.lengths[-1]),
            _(
                "Of {n_positions} positional vectors. Nobody told the model which positions are neighbours.",
                n_positions=run.positions.shape[1],
            ),
        ),
    ]


def order(runs: Sequence[Run]) -> None:
    """The losses of three runs that differ in one thing each."""
    names = [translated(name) for name in ORDER]
    curves = [LossCurve(name, run.losses, run.steps, run.held_out) for name, run in zip(names, runs, strict=True)]
    figure = loss_curves(curves, runs[0].settings.steps, math.log(len(runs[0].vocabulary)))
    ends = ", ".join(f"{name} {run.held_out[-1]:.2f}" for name, run in zip(names, runs, strict=True))
    show(
        figure,
        key="order",
        alt=_("Held-out loss of three runs by step. At the end: {ends}.", ends=ends),
        height=_HEIGHT,
    )
    if all(run.is_finished for run in runs) and not presenting.is_on():
        cards(about_order(runs), key="about_order")


def about_order(runs: Sequence[Run]) -> list[Card]:
    """What shuffling costs, what leaving positions out costs, and why the latter is so little."""
    plain, without, shuffled = (float(run.held_out[-1]) for run in runs)
    return [
        Card(
            _("Shuffling costs {cost} nats a word", cost=in_print(shuffled - plain)),
            _(
                "Loss {shuffled:.2f} with the words of each sentence shuffled, {plain:.2f} in order: as if "
                "it chose among {many:.1f} words instead of {few:.1f}.",
                shuffled=shuffled,
                plain=plain,
                many=math.exp(shuffled),
                few=math.exp(plain),
            ),
            "different" if shuffled > plain else "plain",
        ),
        Card(
            _("No positions cost {cost}", cost=in_print(without - plain)),
            _("Loss {without:.2f} without positional embeddings, {plain:.2f} with them.", without=without, plain=plain),
            "different" if without > plain else "plain",
        ),
        Card(
            _("Without positions, not without order"),
            _(
                "Each word names the next one and sees only itself and those before it. That alone puts the "
                "loss {difference:.2f} below that of shuffled sentences.",
                difference=shuffled - without,
            ),
        )
        if without < shuffled
        else Card(_("Order is no help here"), _("The loss without positions is no lower than with words shuffled.")),
    ]


def program(of: Sequence[TrainingSettings], found: Sequence[Run]) -> None:
    """The PyTorch of one run, or of the one that the reader picks, and its tables to take along; not in projection."""
    if presenting.is_on():
        return
    with fold() as opened:
        n = 0
        if len(of) > 1:
            name = st.segmented_control(
                _("Run"), ORDER, default=ORDER[0], format_func=translated, required=True, key="program"
            )
            n = ORDER.index(name)
        text = pytorch_training(of[n])
        take_along(text, _("Vectors that have learned"), rows=partial(of_run, found[n]))
        listing(text, is_open=opened.open, height=380)


VIEWS = {"words": words, "positions": positions, "order": order}
