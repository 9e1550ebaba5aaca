"""The page's view: the step that the reader is at, in words, and its part of the whole way."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, paragraph, translated
from embedviz.base.pages import page_at
from embedviz.server import voting
from embedviz.text.samples import usual_pair
from embedviz.ui import Guide, LiveView, glossary, presenting, stop_at_error, turns
from embedviz.ui.components.ballot.ballot import ballot
from embedviz.ui.components.way.way import whole_way
from embedviz.ui.inputs.sentences import MAX_CHARACTERS, columns, sentence
from embedviz.ui.shell import say_no_such_view
from embedviz.ui.whole_way.pair import Asked, is_quick, program
from pages.tour import progress
from pages.tour.panel import panel
from pages.tour.steps import STEPS
from pages.tour.story import Story

ROOM = "var(--tour-room, 60vh)"  # what panel.js measures


@ui.part_of_page
def tour() -> None:
    """The sentences, then the step that the reader is at: its words and its part of the picture, or its question."""
    step = STEPS[progress.number() - 1]
    if not presenting.is_on():  # which has no room for it
        say_no_such_view("tour", step.key, st.query_params.get("view", "") in ("", *(each.key for each in STEPS)))
    pair = Asked(sentences())
    if not all(text.strip() for text in pair.texts):
        st.info(_("Write two sentences, for the model to read both."), icon=":material/edit:")
        ui.stop()
    story = Story(pair)
    with stop_at_error(), turns.release_lock(unless=is_quick(pair)):
        question = step.asked(story)
        title, words = step.words(story)
    hall = voting.hall(question.text, question.answers) if question else None
    in_hall = presenting.is_on() or hall is not None
    is_open = question is None or progress.is_open(step, in_hall)
    if question and not is_open:
        title, words = question.text, question.before
    panel(
        names=[translated(each.name) for each in STEPS],
        step=progress.number(),
        present=presenting.is_on(),
        heading=title,
        words=words,
        note=paragraph([voting.problem(), step.note(story)]),
        answers=list(question.answers) if question and not is_open else [],
        verdict=progress.verdict(step, question, in_hall) if is_open and question else None,
        hall=in_hall,
        vote="" if not hall else "over" if hall[1].is_over else "running",
        stops=progress.stops(story, in_hall),
        score=progress.score(),
        turn=progress.turn(),
        on_go=progress.go,
        on_answer=lambda: progress.answer(story),
        on_vote=lambda: question and progress.vote(question),
    )
    if hall and question and not is_open:
        ballot(hall, question.answers, key="tour_ballot", height=ROOM)
        return
    whole_way(step.picture(story, is_open=is_open, alt=paragraph([title, words])), key="tour_picture")
    if is_open and not presenting.is_on():
        if step is STEPS[-1]:
            ways_on()
        ui.program(program(step.way(story)), height=380)


def sentences() -> tuple[str, str]:
    """Both sentences: in fields, or in projection as the address has them."""
    pair = usual_pair()
    if presenting.is_on():
        a, b = (st.query_params.get(key, text)[:MAX_CHARACTERS] for key, text in (("a", pair.a), ("b", pair.b)))
        return a, b
    with st.container(key="tour_head"):
        title, left, right, corner = columns([2.2, 2.8, 2.8, 1.1], vertical_alignment="bottom")
    with title:
        st.title(_("A tour of word order"), anchor=False)
    with corner:
        glossary(TOUR.guide.terms.split())
    return sentence(left, "A", pair.a), sentence(right, "B", pair.b)


def ways_on() -> None:
    """Three ways to go on from the end of the tour."""
    ways = {
        "compare": _("Compare: move the tokens of your sentences by hand"),
        "layers": _("Layers: follow your sentences through a trained model"),
        "next_word": _("Next word: exchange two positions, and the answer changes sides"),
    }
    for column, (name, label) in zip(st.columns(len(ways)), ways.items(), strict=True):
        column.page_link(page_at(name).script, label=label, icon=":material/arrow_forward:")


# Its page has no rows for a guide: each step has words of its own. Lists of views have these.
TOUR = LiveView(
    page="tour",
    name="",
    guide=Guide(
        page_at("tour").help,
        N_("Where order enters decides what a model can do with it, and each kind of model lets it in elsewhere."),
        "token id vector position positional input attention head mask",
    ),
    draw=lambda _frame: tour(),
    examples=tuple({"view": step.key} if n else {} for n, step in enumerate(STEPS)),
)
