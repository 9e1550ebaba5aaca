"""The view "Words" of the page "Training": token vectors that drift into classes, and the loss that drives them."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, translated
from embedviz.figures.model.drift import word_drift
from embedviz.training import drift
from embedviz.training.run import Run
from embedviz.ui import Guide, LiveView, alt_text
from pages.training.loss import loss_card, losses
from pages.training.stage import HEIGHT, TRAINED, stage


def words(frame: ui.Frame, run: Run) -> None:
    """Token vectors that drift into classes, and the loss that drives them."""
    drifted = drift.words(run)
    left, right = st.columns([2.8, 1])
    with left:
        classes, steps = [*map(translated, drifted.classes)], run.steps.tolist()
        figure = word_drift(drifted.points, drifted.explained, run.vocabulary, classes, steps, plays=run.is_finished)
        about = about_words(run, drifted) if run.has_begun else []
        frame.say(*about[:1])
        with ui.slide("words"):
            ui.show(figure, key="words", alt=alt_text.words(run, drifted), height=HEIGHT)
    with right:
        losses(run, HEIGHT)
    ui.cards_below(about, about[:1], key="about_words")


def about_words(run: Run, words: drift.Words) -> list[ui.Card]:
    """The nearest neighbours and the loss, before and after."""
    known = _neighbours(run, words) if not run.settings.text else []
    return [*known, loss_card(run)]


def _neighbours(run: Run, words: drift.Words) -> list[ui.Card]:
    """How many words are nearest to one of their kind, below a headline where these have clearly become more."""
    before, after = int(words.same_class[0]), int(words.same_class[-1])
    title = _(
        "The nearest word is of the same kind for {after} of {total} words, before training for {before}",
        before=before,
        after=after,
        total=words.counted,
    )
    text = _(
        "Words whose nearest word, by cosine over all {n_dims} dimensions, is of their class. Nobody told the model "
        "the classes: it finds words that are used alike, as those of a class are in this language. So near does not "
        "mean the same: hot and cold are used alike too.",
        n_dims=run.tokens.shape[2],
    )
    has_gathered = 2 * after > words.counted and after >= 2 * before  # most words, and twice as many as before
    headline = [ui.Card(_("Training gathers words of a kind"), "")] if has_gathered else []
    return [*headline, ui.Card(title, text)]


WORDS = LiveView(
    page="training",
    name="words",
    guide=Guide(
        N_("Watch the dots while the model trains: words that are used alike move closer to each other."),
        N_("Nobody tells the model what words mean. That some are alike follows from predicting the next word alone."),
        "training loss nats gradient vector pca variance",
    ),
    has_claim=True,
    draw=partial(stage, words),
    examples=({}, TRAINED, {"steps": "77", "seed": "77"}, {"corpus": "own", "own": "the cat"}),
)
