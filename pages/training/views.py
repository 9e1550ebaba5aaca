"""What the page "Training" shows of a run: words and positions, and its program."""

import math
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.figures.drift import position_cosines, word_drift
from embedviz.figures.losses import loss_curves
from embedviz.programs.rows import of_run
from embedviz.programs.training import pytorch_training
from embedviz.training import drift
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui import alt_text

_HEIGHT = "clamp(19rem, calc(100vh - 24.5rem), 42rem)"


def words(run: Run) -> None:
    """Token vectors that drift into classes, and the loss that drives them."""
    found = drift.words(run)
    left, right = st.columns([2.8, 1])
    with left:
        drawn = (found.points, found.explained, run.vocabulary, [*map(translated, found.classes)], run.steps.tolist())
        figure = word_drift(*drawn, plays=run.is_finished)
        with ui.slide("words", brief=True):
            ui.show(figure, key="words", alt=alt_text.words(run, found), height=_HEIGHT)
    with right:
        _losses(run)
    if run.has_begun:
        ui.cards(about_words(run, found), key="about_words")


def _losses(run: Run) -> None:
    figure = loss_curves(run)
    alt = _(
        "The loss on held-out windows by step: from {before:.2f} to {after:.2f}.",
        before=run.held_out[0],
        after=run.held_out[-1],
    )
    with ui.slide("loss"):
        ui.show(figure, key="loss", alt=alt, height=_HEIGHT)


def about_words(run: Run, words: drift.Words) -> list[ui.Card]:
    """The nearest neighbours and the loss, before and after."""
    known = [_neighbours(run, words)] if not run.settings.text else []
    return [*known, _loss(run)]


def _loss(run: Run) -> ui.Card:
    first, last, n = float(run.held_out[0]), float(run.held_out[-1]), len(run.vocabulary)
    where = _("On sentences held out of the training, in nats per word.")
    if run.settings.text:
        where = _("On windows held out of the training, in nats per word.")
    means = _(
        "Giving each of the {n:,} words the same chance costs ln {n:,} = {loss:.2f}; a loss of {last:.2f} is as if the "
        "model chose among e^{last:.2f} = {left:.1f} words.",
        n=n,
        loss=math.log(n),
        last=last,
        left=math.exp(last),
    )
    title = _("Loss {first:.2f} → {last:.2f}", first=first, last=last)
    return ui.Card(title, paragraph((where, means)), "same" if last < first else "different")


def _neighbours(run: Run, words: drift.Words) -> ui.Card:
    before, after = int(words.same_class[0]), int(words.same_class[-1])
    title = _("Same-class neighbour: {before} → {after} of {total}", before=before, after=after, total=words.counted)
    text = _(
        "Words whose nearest word, by cosine over all {n_dims} dimensions, is of their class. Nobody told the model "
        "the classes: it finds words that are used alike, as those of a class are in this language. So near does not "
        "mean the same: hot and cold are used alike too.",
        n_dims=run.tokens.shape[2],
    )
    return ui.Card(title, text, "same" if after > before else "plain")


def positions(run: Run) -> None:
    """How similar the rows of the positional table are."""
    found = drift.positions(run)
    figure = position_cosines(found.similarity, run.steps.tolist())
    with ui.slide(brief=True):
        ui.show(figure, key="positions_drift", alt=alt_text.positions(run, found), height=_HEIGHT)
    if run.has_begun:
        ui.cards(about_positions(run, found), key="about_positions")


def about_positions(run: Run, positions: drift.Positions) -> list[ui.Card]:
    """The similarity of near and of far positions, before and after."""
    half = run.positions.shape[1] // 2
    if run.settings.positions != "learned":
        text = _("Positions are switched off, so this table takes no part and keeps its first random numbers.")
        return [_loss(run), ui.Card(_("Not used"), text)]
    near, far = ({"before": in_print(each[0]), "after": in_print(each[-1])} for each in (positions.near, positions.far))
    tone = "same" if positions.near[-1] > positions.near[0] else "plain"
    text = _("Mean over each position and the next. Nobody told the model which positions are neighbours.")
    return [
        ui.Card(_("Neighbours: cosine {before} → {after}", **near), text, tone),
        ui.Card(
            _("Far apart: cosine {before} → {after}", **far), _("Mean over positions at least {half} apart.", half=half)
        ),
    ]


def program(settings: TrainingSettings, run: Run) -> None:
    """The PyTorch of the run, and its tables to take along."""
    ui.program(pytorch_training(settings), _("How vectors learn"), rows=partial(of_run, run), height=380)
