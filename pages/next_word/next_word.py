"""The page's view: orders of a question and what a trained model answers, or sentences of the visitor's own."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import N_, _
from embedviz.figures.axes import SENTENCES
from embedviz.figures.model.next_words import last_word_looks
from embedviz.programs.next_word import pytorch_next_word
from embedviz.programs.rows import of_next_word
from embedviz.text.grammar import NOUNS, PARTICIPLES, PLACES, RESTS
from embedviz.training.answers import CHANGES, Answers, Heads, answers, heads
from embedviz.training.answers import placement as usual_placement
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.ui import Guide, LiveView, challenges, presenting, turns
from embedviz.ui.inputs import download_field, sentences
from embedviz.ui.inputs.fields import BOUND, one_of, whole_number
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.messages import literal, show_error, stop
from pages.next_word import guessing, words
from pages.next_word.bars import bars, chips
from pages.next_word.layout import layout
from pages.next_word.model import EVERY, TRAINS, model_field, status
from pages.next_word.own_sentences import own_sentences
from pages.next_word.predictions import Predictions, Question

_LOOKS_HEIGHT = "9rem"
_OFFERED = ("off", "on", "exchanged", "shuffled", "moved")  # of the positions


def next_word(frame: ui.Frame) -> None:
    """Let the visitor choose the model and the words, and show what the model answers."""
    with frame.settings():
        usual = "own" if sentences.has_own() else "ready"
        kind = one_of(
            _("Sentences"), OPTIONS["sentences"], key="sentences", default=usual, on_change=_begin_with_question
        )
        is_own = kind == "own"
        question = None if is_own else _question()
        seed = whole_number(_("Seed"), 0, MAX_SEED, None, key="gpt_seed") if TRAINS else None
        if is_own:
            download_field.download_field("causal")
    every = st.session_state.get(EVERY)
    if question is None:
        ui.part_of_page(own_sentences, every)(frame, seed, every)
        return
    if question.first == question.second:
        frame.say()
        with frame.messages:
            show_error(_("Both nouns are “{noun}”. Take two different ones.", noun=question.first))
        stop()
    ui.part_of_page(_ready_question, every)(frame, question, seed, every)


def _begin_with_question() -> None:
    """Let own sentences begin as the question in whose place they come, unless the visitor has written some before."""
    now = st.session_state
    if now["sentences"] == "own" and not sentences.has_own():
        verb = now["rest" if now["asked_for"] == "rest" else "verb"]
        question = Question(now["asked_for"], now["noun"], verb, now["other_noun"], now.get("where", ""))
        now.update(zip("ab", (text.partition(" ,")[0] for text in question.texts), strict=False))


def _question() -> Question:
    """Let the visitor choose what is asked about which nouns."""
    form = one_of(_("Asked for"), OPTIONS["asked_for"], key="asked_for")
    first = st.selectbox(_("First noun of A"), NOUNS, key="noun", **BOUND)
    verbs, key = (RESTS, "rest") if form == "rest" else (tuple(PARTICIPLES), "verb")
    verb = str(st.selectbox(_("Verb"), verbs, key=key, **BOUND))
    place = st.selectbox(_("Preposition"), PLACES, key="where", **BOUND) if form == "rest" else ""
    second = st.selectbox(_("Second noun of A"), NOUNS, 1, key="other_noun", **BOUND)
    return Question(form, first, verb, second, place)


def _ready_question(frame: ui.Frame, question: Question, seed: int | None, every: float | None) -> None:
    """The prompts of a question, and the bars of what the model answers, or the question before them."""
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    model = model_field(left, seed, every)
    change, run, subject = guessing.change_field(right, _OFFERED), model.reader.small, (model.settings, question)
    is_asked = guessing.is_open(change)
    moves = change == "exchanged" and run.settings.positions != "none" and not is_asked
    places = layout(moves=moves)
    if not (is_asked or model.has_button):
        with places.question:
            guessing.next_change_button(change, CHANGES)
    share = guessing.share_field(places.share) if moves else 1.0
    whole, partly = (predict(run, question, change, each) for each in (1.0, share))
    ids = _ids(partly)
    with places.prompts:
        tokens = [output.tokens for output in partly.outputs]  # in the order of the model's list
        chips([*zip(tokens, partly.placements, strict=True)], ids)
    frame.say(guessing.question(change) if is_asked else words.claim(run.has_begun, partly.likeliest))
    with places.bars:
        ask = partial(guessing.ask, change, question.nouns, subject) if is_asked else None
        status(model, literal(words.summary(partly)), ask, places)
        nouns = [run.vocabulary.index(noun) for noun in question.nouns]
        known = predict(run, question, "on", 1.0) if is_asked else partly  # the answer is not in the page yet
        bars(known.outputs, run.texts, ids, nouns, is_asked=is_asked)
    if not is_asked:
        _after_answer(frame, whole, partly, guessing.guess(change, subject))


def _after_answer(frame: ui.Frame, whole: Predictions, partly: Predictions, guess: str | None) -> None:
    """What is said of the answer once it may be seen. whole: after the whole change. partly: as it is drawn."""
    all_answers, all_heads = _measured(partly.run, partly.change)
    if not presenting.is_on():
        ui.cards(words.findings(whole, all_answers, all_heads, guess), key="about_next_word")
    if all_heads:
        weights = [output.attentions[(*all_heads.carrier, -1)] for output in partly.outputs]
        frame.say_of_slides({"looks": words.looks(partly, *all_heads.carrier, weights)})
        with ui.slide("looks"):
            _looks(partly, weights)
    program = pytorch_next_word(partly.run.settings, [*zip(partly.question.texts, partly.placements, strict=True)])
    rows = partial(of_next_word, dict(zip(SENTENCES, partly.outputs, strict=False)), partly.run.texts)
    ui.program(program, _("Who sat?"), height=380, rows=rows)
    challenges.check("say-mat", partly.run, partly.outputs[0], partly.question.items[0][-2])


def placement(change: str, prompt: Sequence[str], share: float = 1.0) -> Placement:
    """What a change does to a prompt. A shuffled list begins at the other end, but for the "?"."""
    if change == "shuffled":
        return Placement(order=(*range(len(prompt) - 2, -1, -1), len(prompt) - 1))
    return replace(usual_placement(change, prompt), share=share)


def predict(run: Run, question: Question, change: str, share: float) -> Predictions:
    """What the run predicts after all prompts. share: how far exchanged positions have come."""
    placements = [placement(change, text.split(), share) for text in question.texts]
    outputs = [forward(run, text, each) for text, each in zip(question.texts, placements, strict=True)]
    return Predictions(run, question, change, placements, outputs)


def _measured(run: Run, change: str) -> tuple[Answers, Heads | None]:
    """The answers to all questions after a change and, of a finished run, what each head does.

    They take seconds the first time, in which others have their turn.
    """
    with turns.release_lock(
        unless=answers.cache_key(run, change) in answers.cache and heads.cache_key(run) in heads.cache
    ):
        return answers(run, change), heads(run) if run.is_finished else None


def _ids(predictions: Predictions) -> list[int]:
    """The IDs of all prompts in the order of the texts, so that a word keeps its colour if the list changes."""
    return [predictions.run.vocabulary.index(word) for text in predictions.question.texts for word in text.split()]


def _looks(predictions: Predictions, weights: Sequence[np.ndarray]) -> None:
    texts, ids = ([getattr(output.tokens, name) for output in predictions.outputs] for name in ("texts", "ids"))
    columns = 1 if presenting.is_on() and len(texts) > 2 else 0  # words are large in a hall
    figure = last_word_looks(texts, ids, weights, columns)
    ui.show(figure, key="looks", alt=words.looks_alt(predictions, weights), height=_LOOKS_HEIGHT)


_ALL_ASKED = {"asked": "off.exchanged.shuffled.moved"}  # so that no question comes before a change

NEXT_WORD = LiveView(
    page="next_word",
    name="",
    guide=Guide(
        N_(
            "Compare the bars of the prompts, then take the positions away. Settings has room for sentences of your "
            "own."
        ),
        N_(
            "Models learn to say the next word. After such questions it depends on the order, which one layer can tell "
            "only from positions, and two also from the causal mask."
        ),
        "token position positional attention head weights mask layer intervention",
    ),
    has_claim=True,
    draw=next_word,
    examples=(
        {},
        {"positions": "exchanged"},
        *({"positions": change} | _ALL_ASKED for change in ("off", "exchanged", "shuffled")),
        *({"gpt": "none", "positions": change} | _ALL_ASKED for change in ("on", "off", "shuffled")),
        {"gpt": "none-2"},
        {"positions": "exchanged", "way": "0.5"} | _ALL_ASKED,
        *({"positions": "moved", "asked_for": form} | _ALL_ASKED for form in ("rest", "active", "passive")),
        {"noun": "mat"},
        {"sentences": "own"},
    ),
)
