"""The view "who" of the page "Next word": two orders of a question, and what a trained model answers."""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import _, paragraph, told
from embedviz.base.jobs import Progress
from embedviz.figures.next_words import last_word_looks
from embedviz.programs.next_word import pytorch_next_word
from embedviz.programs.rows import of_next_word
from embedviz.text.grammar import WHO_NOUNS, WHO_VERBS
from embedviz.training.answers import Answers, Heads, answers, heads
from embedviz.training.answers import placement as usual_placement
from embedviz.training.bundled import WHO
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.queue import runs
from embedviz.training.run import Run
from embedviz.training.train import MAX_STEPS, TrainingSettings
from embedviz.ui import challenges, presenting, running, turns
from embedviz.ui.fields import BOUND, literal, one_of, whole_number
from embedviz.ui.messages import show_error, stop
from embedviz.ui.options import OPTIONS, label_of
from pages.next_word import asking, words
from pages.next_word.bars import bars
from pages.next_word.words import Question, Shown

_TRAINS = WHO["who"].steps <= MAX_STEPS  # whether this server trains such models, or only has those of the record
_EVERY = "who_every"  # in the session: after how many seconds the view looks at its run again
_BARS = "clamp(13rem, calc(100vh - 33rem), 24rem)"
_LOOKS = "9rem"


def who(page: ui.Frame) -> None:
    """Let the visitor choose the model and the words, and show what the model answers."""
    page.lead(_("A small GPT has learned to answer such questions."))
    with page.settings():
        question = _question()
        seed = whole_number(_("Seed"), 0, MAX_SEED, None, key="gpt_seed") if _TRAINS else None
    if question.first == question.second:
        with page.messages:
            show_error(_("Both nouns are “{noun}”. Take two different ones.", noun=question.first))
        stop()
    every = st.session_state.get(_EVERY)
    ui.part(_answered, every)(question, seed, every)


def _question() -> Question:
    first = st.selectbox(_("First noun of A"), WHO_NOUNS, key="noun", **BOUND)
    verb = st.selectbox(_("Verb"), list(WHO_VERBS), key="verb", **BOUND)
    second = st.selectbox(_("Second noun of A"), WHO_NOUNS, 1, key="other_noun", **BOUND)
    asked_for = one_of(_("Asked for"), OPTIONS["asked_for"], key="asked_for")
    return Question(first, verb, second, asked_for == "passive")


def settings_of(name: str, seed: int | None) -> TrainingSettings:
    """The model of one of OPTIONS["gpt"]. Without a seed it is the recorded one, if there is one."""
    positions, _dash, n_layers = name.partition("-")
    found = replace(WHO["who"], positions=positions, n_layers=int(n_layers or 1))
    recorded = (each for each in WHO.values() if replace(each, seed=found.seed) == found)
    return next(recorded, found) if seed is None else replace(found, seed=seed)


def _answered(question: Question, seed: int | None, every: float | None) -> None:
    model, placed = st.columns([1, 3], vertical_alignment="bottom")
    offered = [name for name in OPTIONS["gpt"] if _TRAINS or settings_of(name, None) in WHO.values()]
    name = model.selectbox(_("Model"), offered, format_func=label_of("gpt"), key="gpt", **BOUND)
    change = one_of(_("Positions"), OPTIONS["placed"], key="placed", place=placed, label_visibility="collapsed")
    settings = settings_of(name, seed)
    found = running.run_states([settings])
    state = running.state_of([settings], found)
    if running.AGAIN.get(state) != every:
        st.session_state[_EVERY] = running.AGAIN.get(state)
        st.rerun()
    (run,), about = running.shown([settings], found, state), (settings, question)
    guess = asking.guess(change, about)
    asked, way = st.columns([5, 4], vertical_alignment="center") if presenting.is_on() else (st.container(), None)
    if is_open := asking.is_open(change):
        with asked:
            asking.ask(change, question.nouns, about)
        change = "on"
    elif not running.has_button(state):
        with asked:
            asking.go_on(change)
    whole = placement(change, question)
    tokens, picture = ui.tokens_and_picture()
    with tokens:
        chips = ui.slide("prompts", alone=True)
    with picture:
        answered = ui.slide("answers", brief=True)
    share = _share(way or answered) if whole.exchanged and run.settings.positions != "none" else 1.0
    after, shown = (_shown(run, question, change, each) for each in (whole, replace(whole, share=share)))
    with chips:
        _chips(shown)
    with answered:
        # While a question about a change is open, what stands here is what was before, and not the answer.
        outcome = literal(words.outcome(shown))
        _say(settings, found, state, told(f"**{label_of('placed')(change)}**", outcome) if is_open else outcome, asked)
        nouns = [run.vocabulary.index(noun) for noun in question.nouns]
        bars((shown.a, shown.b), run.texts, _ids(shown), _BARS, nouns)
    counted, known = _counted(run, change)
    if not (is_open or presenting.is_on()):
        ui.cards(words.findings(after, counted, known, guess), key="about_next_word")
    if known:
        with ui.slide("looks"):
            _looks(shown, *known.carrier)
    program = pytorch_next_word(run.settings, question.texts, shown.placement)
    rows = partial(of_next_word, shown.a, shown.b, run.texts)
    ui.program(program, _("Who bites?"), height=380, rows=rows)
    challenges.check("say-man", run, shown.a, question.items[0][-2])


def _say(
    settings: TrainingSettings, found: list[Progress | None], state: running.State, outcome: str, above: DeltaGenerator
) -> None:
    """Say what came out, or how far the training is. The button that trains is beside it, or in a hall above."""
    if state == "open":
        runs.prepare()
    said, train = (st.container(), above) if presenting.is_on() else st.columns([4, 1])
    if _TRAINS and running.has_button(state):
        with train, ui.on_every_slide("train"):
            running.button([settings], state)
    with said:
        running.say_why(found)
        if state in running.AGAIN:
            running.say_how_far([settings], found)
        else:
            here = _("Trained on this server, from the first step to the last.") if state == "finished" else ""
            st.caption(paragraph([outcome, "" if presenting.is_on() else here]))


def placement(change: str, question: Question) -> Placement:
    """What a change does to both prompts. A shuffled list begins at the other end, but for the "?"."""
    n_words = len(question.texts[0].split())
    if change == "shuffled":
        return Placement(order=(*range(n_words - 2, -1, -1), n_words - 1))
    return usual_placement(change, n_words)


def _share(place: DeltaGenerator) -> float:
    with place, ui.on_every_slide("way"):
        label, bare = _("How far the two positions have come"), "collapsed" if presenting.is_on() else "visible"
        return st.slider(label, 0.0, 1.0, 1.0, 0.05, key="way", label_visibility=bare, **BOUND)


def _shown(run: Run, question: Question, change: str, placed: Placement) -> Shown:
    return Shown(run, question, change, placed, *(forward(run, text, placed) for text in question.texts))


def _counted(run: Run, change: str) -> tuple[Answers, Heads | None]:
    """The answers to all questions after a change and, of a finished run, what each head does.

    They take seconds the first time, in which others have their turn.
    """
    ready = answers.cache_key(run, change) in answers.cache and heads.cache_key(run) in heads.cache
    with nullcontext() if ready else turns.pause():
        return answers(run, change), heads(run) if run.is_finished else None


def _chips(shown: Shown) -> None:
    """Both prompts as the model's list has them, each word with its position. In a hall each has a row of its own."""
    order = _ids(shown)
    columns = [st.container(), st.container()] if presenting.is_on() else st.columns(2)
    for column, name, each in zip(columns, "AB", (shown.a, shown.b), strict=True):
        with column:
            places = standing(shown.placement, len(each.tokens))
            ui.chips(
                each.tokens,
                key=f"chips_{name}",
                label=_("Tokens of {name}", name=name),
                colour_order=order,
                places=places,
            )


def standing(placed: Placement, n_words: int) -> list[int]:
    """The position of each word of the model's list. Words that are on their way are still at their own."""
    positions = list(placed.positions or range(n_words))
    if placed.exchanged and placed.share == 1:
        i, j = placed.exchanged
        positions[i], positions[j] = positions[j], positions[i]
    return [positions[n] for n in placed.listed(n_words)]


def _ids(shown: Shown) -> list[int]:
    """The IDs of both prompts in the order of the texts, so that a word keeps its colour if the list changes."""
    return [shown.run.vocabulary.index(word) for text in shown.question.texts for word in text.split()]


def _looks(shown: Shown, layer: int, head: int) -> None:
    two = (shown.a, shown.b)
    weights = [each.attentions[layer, head, -1] for each in two]
    figure = last_word_looks(*([getattr(each.tokens, name) for each in two] for name in ("texts", "ids")), weights)
    ui.show(figure, key="looks", alt=words.looks_alt(shown, weights), height=_LOOKS)
