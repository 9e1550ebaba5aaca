"""Tour: from text to input embeddings, step by step."""

from contextlib import nullcontext

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph, translated
from embedviz.text.samples import pairs
from embedviz.ui import presenting, turns
from embedviz.ui.components.boxes.boxes import boxes
from embedviz.ui.components.slider.slider import snapshots
from embedviz.ui.guide import glossary
from embedviz.ui.messages import stop_at_error
from embedviz.ui.sentences import MAX_CHARACTERS, columns, lost, sentence
from embedviz.vectors import tables
from pages.tour import progress
from pages.tour.facts import SPEC, Facts, facts, spec_of, vocab_size
from pages.tour.panel import Panel, panel
from pages.tour.pictures import Picture
from pages.tour.steps import STEPS
from pages.tour.words import unbroken

ROOM = "var(--tour-room, 60vh)"  # what tour.js measures
WITH_SLIDER = "calc(var(--tour-room, 60vh) - 2.9rem)"


@ui.part
def tour() -> None:
    """The sentences, then the step that the reader is at: words and picture, or question and what may be seen."""
    found = computed(*sentences())
    step = STEPS[progress.number() - 1]
    asked = step.asked(found)
    is_open = asked is None or progress.is_open(step)
    shown = step.drawn(found) if is_open else step.masked(found)
    title, words = step.words(found) if is_open else (_("What do you think?"), "")
    panel(
        Panel(
            names=[translated(each.name) for each in STEPS],
            step=progress.number(),
            present=presenting.is_on(),
            heading=title,
            words=unbroken(words),
            note=paragraph([*_lost(found), shown.note if shown else ""]),
            question=None if is_open else {"text": asked.text, "answers": list(asked.answers)},
            verdict=progress.verdict(step, asked) if is_open and asked else None,
            stops=progress.stops(found),
            score=progress.score(),
            turn=progress.turn(),
        ),
        on_go=progress.go,
        on_answer=lambda: progress.answer(found),
    )
    if shown:
        picture(shown, found)
        if is_open and not presenting.is_on():
            ui.program(step.program(found), height=380)


def sentences() -> tuple[str, str]:
    """Both sentences: in fields, or in projection as the address has them."""
    first = pairs()[0]
    if presenting.is_on():
        texts = {"a": first.a, "b": first.b}
        return tuple(st.query_params.get(key, text)[:MAX_CHARACTERS] for key, text in texts.items())
    title, left, right = columns([2.4, 3, 3], vertical_alignment="bottom")
    with title:
        st.title(_("From text to input embeddings"), anchor=False)
    return sentence(left, "A", first.a), sentence(right, "B", first.b)


def computed(text_a: str, text_b: str) -> Facts:
    """What follows from the sentences; others need not wait while the tables are made or read."""
    source = st.query_params.get("source", SPEC.source)
    is_ready = source == SPEC.source and tables.is_ready(vocab_size(), SPEC)
    with stop_at_error(source), nullcontext() if is_ready else turns.pause():
        return facts(text_a, text_b, spec_of(source))


def _lost(facts: Facts) -> list[str]:
    """What to note of each sentence of which no token stands for some characters."""
    said = {name: lost(each.tokens) for name, each in facts.sentences.items()}
    return [_("{name}: {said}", name=name, said=text) for name, text in said.items() if text]


def picture(shown: Picture, facts: Facts) -> None:
    """A figure with what moves it, or boxes."""
    if shown.slider == "amount":
        ui.amount(key="tour_amount")
    if shown.slider == "snapshots":
        snapshots(facts.run, "tour", key="tour_snapshots")
    if shown.figure:
        height = WITH_SLIDER if shown.slider else ROOM
        ui.show(shown.figure, key="tour_picture", alt=shown.alt, height=height)
    else:
        boxes(shown.rows, with_ids=shown.with_ids, key="tour_boxes", height=ROOM)


with st.container(gap="xsmall"):
    tour()
if not presenting.is_on():
    glossary(["token", "id", "vector", "positional", "input", "mean", "pca", "attention", "score", "mask", "window"])
