"""Tour: where word order enters a model, step by step."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph, told, translated
from embedviz.base.pages import page_at
from embedviz.server import voting
from embedviz.text.samples import pairs
from embedviz.ui import glossary, lessons, presenting, stop_at_error, turns
from embedviz.ui.components.ballot.ballot import ballot
from embedviz.ui.components.boxes.boxes import boxes
from embedviz.ui.inputs.sentences import MAX_CHARACTERS, columns, lost, sentence
from embedviz.ui.shell import say_no_such_view
from embedviz.vectors import tables
from pages.tour import progress
from pages.tour.facts import SPEC, Facts, facts, spec_of, vocab_size
from pages.tour.panel import panel
from pages.tour.pictures import Picture
from pages.tour.steps import STEPS
from pages.tour.words import unbroken

ROOM = "var(--tour-room, 60vh)"  # what panel.js measures


@ui.part
def tour() -> None:
    """The sentences, then the step that the reader is at: words and picture, or question and what may be seen."""
    step = STEPS[progress.number() - 1]
    if not presenting.is_on():  # which has no room for it
        say_no_such_view("tour", step.key, st.query_params.get("view", "") in ("", *(each.key for each in STEPS)))
    found = computed(*sentences())
    asked = step.asked(found)
    hall = voting.hall(asked.text, asked.answers) if asked else None
    in_hall = presenting.is_on() or hall is not None
    is_open = asked is None or progress.is_open(step, in_hall)
    shown = step.drawn(found, hidden=not is_open)
    title, words = step.words(found) if is_open else (asked.text, asked.before)
    panel(
        names=[translated(each.name) for each in STEPS],
        step=progress.number(),
        present=presenting.is_on(),
        heading=title,
        words=unbroken(words),
        note=paragraph([voting.problem(), *_lost(found), shown.note if shown else ""]),
        answers=[] if is_open else list(asked.answers),
        verdict=progress.verdict(step, asked, in_hall) if is_open and asked else None,
        hall=in_hall,
        vote="" if not hall else "over" if hall[1].is_over else "running",
        stops=progress.stops(found, in_hall),
        score=progress.score(),
        turn=progress.turn(),
        on_go=progress.go,
        on_answer=lambda: progress.answer(found),
        on_vote=lambda: progress.vote(asked),
    )
    if hall and not is_open:
        ballot(hall, asked.answers, key="tour_ballot", height=ROOM)
    elif shown:
        picture(shown)
        if is_open and not presenting.is_on():
            if step is STEPS[-1]:
                ways_on()
            ui.program(step.program(found), height=380)


def sentences() -> tuple[str, str]:
    """Both sentences: in fields, or in projection as the address has them."""
    first = pairs()[0]
    if presenting.is_on():
        texts = {"a": first.a, "b": first.b}
        return tuple(st.query_params.get(key, text)[:MAX_CHARACTERS] for key, text in texts.items())
    title, left, right, corner = columns([2.2, 2.8, 2.8, 1.1], vertical_alignment="bottom")
    with title:
        st.title(_("A tour of word order"), anchor=False)
    with corner:
        glossary(["token", "id", "vector", "position", "positional", "input", "mean", "attention", "mask"])
    return sentence(left, "A", first.a), sentence(right, "B", first.b)


def computed(text_a: str, text_b: str) -> Facts:
    """What follows from the sentences; others need not wait while the tables are made or read."""
    source = st.query_params.get("source", SPEC.source)
    is_ready = source == SPEC.source and tables.is_ready(vocab_size(), SPEC)
    with stop_at_error(source), turns.pause(unless=is_ready):
        return facts(text_a, text_b, spec_of(source))


def _lost(facts: Facts) -> list[str]:
    """What to note of each sentence of which no token stands for some characters."""
    said = {name: lost(each.tokens) for name, each in facts.sentences.items()}
    return [told(name, text) for name, text in said.items() if text]


def picture(shown: Picture) -> None:
    """A figure, or boxes."""
    if shown.figure:
        ui.show(shown.figure, key="tour_picture", alt=shown.alt, height=ROOM)
    else:
        boxes(shown.rows, with_ids=shown.with_ids, key="tour_boxes", height=ROOM)


def ways_on() -> None:
    """Three ways to go on from the end of the tour."""
    ways = {
        "compare": _("Compare: move the tokens of your sentences by hand"),
        "layers": _("Layers: follow your sentences through a trained model"),
        "next_word": _("Next word: exchange two positions, and the answer changes sides"),
    }
    for column, (name, label) in zip(st.columns(len(ways)), ways.items(), strict=True):
        column.page_link(page_at(name).script, label=label, icon=":material/arrow_forward:")


with st.container(gap="xsmall"):
    if not presenting.is_on():
        lessons.line("tour")
    tour()
