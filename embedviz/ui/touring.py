"""The parts of the page "Tour": where the reader is, what was answered, what is shown."""

from pathlib import Path

import streamlit as st

from embedviz import tables, tour, tour_facts
from embedviz.export_tour import pytorch_step
from embedviz.samples import pairs
from embedviz.texts import _, translated
from embedviz.tour_facts import Facts, facts
from embedviz.tour_questions import Question, asks, question
from embedviz.ui import controls, presenting, turns
from embedviz.ui.amount import amount
from embedviz.ui.boxes import boxes
from embedviz.ui.player import player
from embedviz.ui.plot import show
from embedviz.ui.program import program
from embedviz.ui.tour_panel import KEY, Panel, panel
from embedviz.ui.tour_pictures import Picture, picture
from embedviz.ui.training_views import snapshot_labels

_ROOM = "var(--tour-room, 60vh)"  # what tour.js measures
_WITH_SLIDER = "calc(var(--tour-room, 60vh) - 2.9rem)"


def way_in(text_a: str, text_b: str) -> None:
    """The link to the tour of these sentences, which it finds even if the reader goes there another way."""
    st.session_state["tour_sentences"] = {"a": text_a, "b": text_b}
    if not presenting.is_on():
        page = Path(__file__).resolve().parents[2] / "pages/tour.py"
        st.page_link(page, label=_("Take the tour"), icon=":material/tour:")


def sentences() -> Facts:
    """Both sentences: in fields, or in projection as the address has them."""
    first = pairs()[0]
    brought = st.session_state.get("tour_sentences", {})
    if presenting.is_on():
        texts = {"a": first.a, "b": first.b} | brought
        return _found(*(st.query_params.get(key, text)[: controls.MAX_CHARACTERS] for key, text in texts.items()))
    _bring(brought)
    title, left, right = st.columns([2.4, 3, 3], vertical_alignment="bottom")
    with title:
        st.title(_("From text to input embeddings"), anchor=False)
    return _found(controls.sentence(left, "A", first.a), controls.sentence(right, "B", first.b))


def _bring(brought: dict[str, str]) -> None:
    """Put the sentences of the page that the reader comes from into the fields, unless the address has some."""
    if brought:
        del st.session_state["tour_sentences"]
        if not brought.keys() & st.query_params.keys():
            st.session_state.update(brought)  # in the address they stand from the next move on


def _found(*texts: str) -> Facts:
    vocab_size = tour_facts.vocab_size()
    if not tables.is_ready(vocab_size, tour_facts.SPEC):
        with turns.pause():
            tables.position_table(vocab_size, tour_facts.SPEC)
    return facts(*texts)


def step() -> int:
    """Which step the address names, from 1; the first if it names none."""
    named = st.query_params.get("step", "")
    number = int(named) if named.isascii() and named.isdigit() and len(named) < 4 else 1
    return number if 1 <= number <= len(tour.NAMES) else 1


def draw(found: Facts) -> None:
    """The step in words, its question until it is answered, then its picture."""
    number = step()
    name = tour.NAMES[number - 1]
    asked = question(name, found)
    is_open = asked is None or _is_open(name)
    shown = picture(name, found) if is_open else None
    _panel(number, found, asked, shown, is_open)
    if shown:
        _picture(shown, found)
        if not presenting.is_on():
            program(pytorch_step(name, found), height=380)


def _is_open(name: str) -> bool:
    return name in (_revealed() if presenting.is_on() else _answers())


def _panel(number: int, found: Facts, asked: Question | None, shown: Picture | None, is_open: bool) -> None:
    name = tour.NAMES[number - 1]
    said = tour.step(name, found) if is_open else None
    panel(
        Panel(
            names=[translated(each) for each in tour.NAMES],
            step=number,
            present=presenting.is_on(),
            heading=said.title if said else _("What do you think?"),
            words=said.words if said else "",
            note=shown.note if shown else "",
            question=None if is_open else {"text": asked.text, "answers": list(asked.answers)},
            verdict=_verdict(name, asked) if is_open and asked else None,
            stops=_stops(found),
            score=score(),
            turn=st.session_state.get("tour_turn", 0),
        ),
        on_go=_go,
        on_answer=lambda: _answer(found),
    )


def _stops(found: Facts) -> list[int]:
    """In projection the steps whose question stands open."""
    if not presenting.is_on():
        return []
    return [n for n, name in enumerate(tour.NAMES, 1) if asks(name, found) and name not in _revealed()]


def _verdict(name: str, asked: Question) -> dict | None:
    right = asked.answers[asked.right]
    if presenting.is_on():
        return {"text": _("Answer: {right}", right=right), "right": None}
    text, chosen, was_right = _answers()[name]
    if text != asked.text:  # it was asked about other sentences
        return None
    said = (
        _("Right: “{right}”.", right=right)
        if was_right
        else _("You said “{chosen}”. Right is “{right}”.", chosen=chosen, right=right)
    )
    return {"text": said, "right": was_right}


def score() -> str:
    """How many answers were right so far."""
    answers = _answers().values()
    return (
        _("{n_right} of {n} right", n_right=sum(was_right for *_, was_right in answers), n=len(answers))
        if answers
        else ""
    )


def _answers() -> dict[str, tuple[str, str, bool]]:
    """By step: what was asked, what the reader said, and whether that was right."""
    return st.session_state.setdefault("tour_answers", {})


def _revealed() -> set[str]:
    """The steps whose picture was revealed in projection."""
    return st.session_state.setdefault("tour_revealed", set())


def _go() -> None:
    """Move to where the browser wants, if there is such a step."""
    wanted = getattr(st.session_state.get(KEY), "go", None)
    if not isinstance(wanted, dict):
        return
    number, opened, turn = wanted.get("step"), wanted.get("opened"), wanted.get("turn")
    if _is_step(number):
        st.query_params["step"] = str(number)
    if isinstance(opened, list):
        _revealed().update(tour.NAMES[each - 1] for each in opened if _is_step(each))
    if type(turn) is int:
        st.session_state["tour_turn"] = turn


def _is_step(number: object) -> bool:
    """True for the browser's word for a step."""
    return type(number) is int and 1 <= number <= len(tour.NAMES)


def _answer(found: Facts) -> None:
    """Note an answer; the first one counts."""
    given = getattr(st.session_state.get(KEY), "answer", None)
    if not isinstance(given, dict):
        return
    number, choice = given.get("step"), given.get("choice")
    if number != step() or type(choice) is not int:
        return
    name = tour.NAMES[number - 1]
    asked = question(name, found)
    if asked and 0 <= choice < len(asked.answers):
        _answers().setdefault(name, (asked.text, asked.answers[choice], choice == asked.right))


def _picture(shown: Picture, found: Facts) -> None:
    if shown.slider == "amount":
        amount(key="tour_amount")
    if shown.slider == "snapshots":
        player(snapshot_labels(found.run), "tour", key="tour_snapshots")
    if shown.figure:
        height = _WITH_SLIDER if shown.slider else _ROOM
        show(shown.figure, key="tour_picture", alt=shown.alt, height=height)
    else:
        boxes(shown.rows, with_ids=shown.with_ids, key="tour_boxes", height=_ROOM)
