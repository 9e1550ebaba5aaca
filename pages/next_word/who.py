"""The page's view: orders of a question and what a trained model answers, or sentences of the visitor's own."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import _, paragraph
from embedviz.figures.axes import SENTENCES
from embedviz.figures.next_words import last_word_looks
from embedviz.programs.next_word import pytorch_next_word
from embedviz.programs.rows import of_next_word
from embedviz.text.grammar import NOUNS, PARTICIPLES, PLACES, RESTS
from embedviz.training.answers import CHANGES, Answers, Heads, answers, heads
from embedviz.training.answers import placement as usual_placement
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.ui import challenges, presenting, turns
from embedviz.ui.inputs import bringing
from embedviz.ui.inputs.fields import BOUND, one_of, whole_number
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.messages import literal, show_error, stop
from pages.next_word import asking, words
from pages.next_word.bars import bars, chips
from pages.next_word.model import EVERY, TRAINS, model, say
from pages.next_word.own import own
from pages.next_word.rooms import rooms
from pages.next_word.shown import Question, Shown

_LOOKS = "9rem"


def who(page: ui.Frame) -> None:
    """Let the visitor choose the model and the words, and show what the model answers."""
    with page.settings():
        said = one_of(_("Sentences"), OPTIONS["sentences"], key="sentences", on_change=_begin_with_question)
        is_own = said == "own"
        question = None if is_own else _question()
        seed = whole_number(_("Seed"), 0, MAX_SEED, None, key="gpt_seed") if TRAINS else None
        if is_own:
            bringing.offer("causal")
    every = st.session_state.get(EVERY)
    if question is None:
        page.lead(_("A model reads both prompts. What does it expect next?"))
        ui.part(own, every)(seed, every)
        return
    more = _("Under Settings you can write sentences of your own.")
    page.lead(paragraph([_("A small GPT has learned to answer such questions."), more]))
    if question.first == question.second:
        with page.messages:
            show_error(_("Both nouns are “{noun}”. Take two different ones.", noun=question.first))
        stop()
    ui.part(_answered, every)(question, seed, every)


def _begin_with_question() -> None:
    """Let own sentences begin as the question in whose place they come, unless the visitor has written some before."""
    now = st.session_state
    if now["sentences"] == "own" and not {"small_a", "small_b"} & {*st.query_params}:
        verb = now["rest" if now["asked_for"] == "rest" else "verb"]
        asked = Question(now["asked_for"], now["noun"], verb, now["other_noun"], now.get("where", ""))
        now.update(zip(("small_a", "small_b"), asked.texts, strict=False))


def _question() -> Question:
    form = one_of(_("Asked for"), OPTIONS["asked_for"], key="asked_for")
    first = st.selectbox(_("First noun of A"), NOUNS, key="noun", **BOUND)
    if form == "rest":
        verb = st.selectbox(_("Verb"), RESTS, key="rest", **BOUND)
        place = st.selectbox(_("Preposition"), PLACES, key="where", **BOUND)
    else:
        verb, place = st.selectbox(_("Verb"), list(PARTICIPLES), key="verb", **BOUND), ""
    second = st.selectbox(_("Second noun of A"), NOUNS, 1, key="other_noun", **BOUND)
    return Question(form, first, verb, second, place)


def _answered(question: Question, seed: int | None, every: float | None) -> None:
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    reads = model(left, seed, every)
    change, run, about = asking.change_of(right, CHANGES), reads.of.small, (reads.settings, question)
    is_asked = asking.is_open(change)
    moves = change == "exchanged" and run.settings.positions != "none" and not is_asked
    places = rooms(moves=moves)
    if not (is_asked or reads.has_button):
        with places.question:
            asking.go_on(change, CHANGES)
    share = asking.share(places.way) if moves else 1.0
    after, shown = (_shown(run, question, change, each) for each in (1.0, share))
    with places.chips:
        tokens = [each.tokens for each in shown.read]  # in the order of the model's list
        chips([*zip(tokens, shown.placements, strict=True)], _ids(shown))
    with places.answers:
        ask = partial(asking.ask, change, question.nouns, about) if is_asked else None
        say(reads, literal(words.outcome(shown)), ask, places)
        nouns = [run.vocabulary.index(noun) for noun in question.nouns]
        seen = _shown(run, question, "on", 1.0) if is_asked else shown  # the answer is not in the page yet
        bars(seen.read, run.texts, _ids(shown), nouns, is_asked=is_asked)
    if not is_asked:
        _about(shown, after, asking.guess(change, about))


def _about(shown: Shown, after: Shown, guess: str | None) -> None:
    """What is said of the answer once it may be seen. after: shown after the whole change."""
    counted, known = _counted(shown.run, shown.change)
    if not presenting.is_on():
        ui.cards(words.findings(after, counted, known, guess), key="about_next_word")
    if known:
        with ui.slide("looks"):
            _looks(shown, *known.carrier)
    program = pytorch_next_word(shown.run.settings, [*zip(shown.question.texts, shown.placements, strict=True)])
    rows = partial(of_next_word, dict(zip(SENTENCES, shown.read, strict=False)), shown.run.texts)
    ui.program(program, _("Who sat?"), height=380, rows=rows)
    challenges.check("say-mat", shown.run, shown.read[0], shown.question.items[0][-2])


def placement(change: str, prompt: Sequence[str], share: float = 1.0) -> Placement:
    """What a change does to a prompt. A shuffled list begins at the other end, but for the "?"."""
    if change == "shuffled":
        return Placement(order=(*range(len(prompt) - 2, -1, -1), len(prompt) - 1))
    return replace(usual_placement(change, prompt), share=share)


def _shown(run: Run, question: Question, change: str, share: float) -> Shown:
    """What the run makes of all prompts. share: how far exchanged positions have come."""
    placed = [placement(change, text.split(), share) for text in question.texts]
    read = [forward(run, text, each) for text, each in zip(question.texts, placed, strict=True)]
    return Shown(run, question, change, placed, read)


def _counted(run: Run, change: str) -> tuple[Answers, Heads | None]:
    """The answers to all questions after a change and, of a finished run, what each head does.

    They take seconds the first time, in which others have their turn.
    """
    ready = answers.cache_key(run, change) in answers.cache and heads.cache_key(run) in heads.cache
    with nullcontext() if ready else turns.pause():
        return answers(run, change), heads(run) if run.is_finished else None


def _ids(shown: Shown) -> list[int]:
    """The IDs of all prompts in the order of the texts, so that a word keeps its colour if the list changes."""
    return [shown.run.vocabulary.index(word) for text in shown.question.texts for word in text.split()]


def _looks(shown: Shown, layer: int, head: int) -> None:
    weights = [each.attentions[layer, head, -1] for each in shown.read]
    texts, ids = ([getattr(each.tokens, name) for each in shown.read] for name in ("texts", "ids"))
    columns = 1 if presenting.is_on() and len(texts) > 2 else 0  # words are large in a hall
    figure = last_word_looks(texts, ids, weights, columns)
    ui.show(figure, key="looks", alt=words.looks_alt(shown, weights), height=_LOOKS)
