"""A hall's vote as its lecturer sees it: on the page Votes and on the questions of the Tour."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from embedviz.base import votes
from embedviz.base.votes import CHOICES, Vote
from embedviz.text.samples import pairs
from embedviz.ui.components.share.share import qr_rows
from pages.tour.facts import facts
from pages.tour.steps import STEPS
from tests.pages.site import before_visit, messages, payloads, shown, visit

LECTURER = "a browser"
FOUND = facts(pairs()[0].a, pairs()[0].b)
ASKED = {step.key: step.asked(FOUND) for step in STEPS if step.is_asked(FOUND)}
OWN = {"question": "What is <b>order</b>?", "choices": "a place\n\n a table \nnothing"}


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    votes.votes.cache_clear()
    yield
    votes.votes.cache_clear()


def opened(question: str, choices: Sequence[str], lecturer: str = LECTURER) -> str:
    owner = sha256(lecturer.encode()).hexdigest()
    return votes.votes().open(Vote(question, choices, "en", owner))


def lecturers(page: str, **query: str) -> AppTest:
    at = before_visit(page, **query)
    at.session_state["visitor"] = LECTURER
    return at.run()


def vote_by(code: str, *choices: int) -> None:
    for n, choice in enumerate(choices):
        assert votes.votes().cast(code, f"voter {n}", choice)


def test_the_page_shows_the_choices_then_the_way_for_phones_then_the_bars():
    before = shown(lecturers("votes", **OWN), "ballot")
    assert before["question"] == OWN["question"]
    assert before["choices"] == ["a place", "a table", "nothing"]
    assert "address" not in before
    code = opened(OWN["question"], ["a place", "a table", "nothing"])
    vote_by(code, 2, 2, 0)
    running = shown(lecturers("votes", vote=code, **OWN), "ballot")
    assert running["address"].endswith(f"vote/{code}")
    assert running["rows"] == qr_rows(running["address"])
    assert running["n"] == 3
    assert "counts" not in running
    votes.votes().end(code)
    over = shown(lecturers("votes", vote=code, **OWN), "ballot")
    assert (over["counts"], over["n"]) == ([1, 0, 2], 3)


@pytest.mark.parametrize("right", [*range(-2, 9), None])
def test_the_right_choice_is_in_the_page_only_once_the_bars_are(right):
    choices, query = ["a place", "a table", "nothing"], OWN | ({} if right is None else {"right": str(right)})
    code = opened(OWN["question"], choices)
    for said in ({}, {"vote": code}):
        before = shown(lecturers("votes", **said, **query), "ballot")
        assert (before["choices"], "right" in before) == (choices, False)
    votes.votes().end(code)
    over = shown(lecturers("votes", vote=code, **query), "ballot")
    assert over["counts"] == [0, 0, 0]
    assert (over["right"] == right) if right in (1, 2, 3) else (over["right"] not in (1, 2, 3))


def test_the_usual_question_can_be_asked_at_once():
    found = shown(visit("votes"), "ballot")
    assert opened(found["question"], found["choices"])


def test_whoever_has_the_code_alone_sees_no_counts_and_no_vote():
    code = opened(OWN["question"], ["a place", "a table", "nothing"], "another browser")
    vote_by(code, 1)
    votes.votes().end(code)
    at = lecturers("votes", vote=code, **OWN)
    assert "address" not in shown(at, "ballot")
    step, asked = next(iter(ASKED.items()))
    code = opened(asked.text, asked.answers, "another browser")
    at = lecturers("tour", view=step, vote=code)
    assert shown(at, "tour_panel")["vote"] == ""
    assert shown(at, "tour_ballot") is None


@pytest.mark.parametrize("code", ["", "BBBBB", "x" * 1000, "<b>", "../count", "\0"])
def test_a_code_that_was_made_up_is_no_vote(code):
    for page, query in (("votes", OWN), ("tour", {"view": "after"})):
        at = lecturers(page, vote=code, **query)
        assert not at.exception
        assert messages(at) == []


@pytest.mark.parametrize("present", [{}, {"present": "1"}])
@pytest.mark.parametrize("step", ASKED)
def test_a_question_of_the_tour_is_voted_on_then_its_bars_come_and_then_the_answer_with_its_picture(step, present):
    asked = ASKED[step]
    query = {"view": step, **present}
    panel = shown(lecturers("tour", **query), "tour_panel")
    assert (panel["hall"], panel["vote"]) == (bool(present), "")
    code = opened(asked.text, asked.answers)
    vote_by(code, asked.right, 0)
    for is_over in (False, True):
        at = lecturers("tour", vote=code, **query)
        panel, ballot = shown(at, "tour_panel"), shown(at, "tour_ballot")
        assert (panel["hall"], panel["vote"]) == (True, "over" if is_over else "running")
        assert panel["answers"] == list(asked.answers)
        assert panel["step"] in panel["stops"]
        assert panel["verdict"] is None
        assert ballot["choices"] == list(asked.answers)
        assert ("counts" in ballot) == is_over
        assert shown(at, "tour_picture") is shown(at, "tour_boxes") is None
        votes.votes().end(code)
    at.session_state["tour_revealed"] = {step}
    at.run()
    panel = shown(at, "tour_panel")
    assert panel["verdict"] == {"text": f"Answer: {asked.answers[asked.right]}.", "right": None}
    assert panel["step"] not in panel["stops"]
    assert shown(at, "tour_ballot") is None
    assert shown(at, "tour_picture")


def test_a_vote_belongs_to_the_sentences_that_it_was_opened_for():
    asked = ASKED["same"]
    code = opened(asked.text, asked.answers)
    at = lecturers("tour", view="same", vote=code, a="dog bites man", b="man bites dog")
    assert shown(at, "tour_panel")["vote"] == ""
    assert shown(at, "tour_ballot") is None


def test_a_reload_of_the_tour_at_another_step_keeps_the_vote():
    asked = ASKED["same"]
    code = opened(asked.text, asked.answers)
    assert shown(lecturers("tour", view="sum", vote=code), "tour_panel")["vote"] == ""
    assert shown(lecturers("tour", view="same", vote=code), "tour_panel")["vote"] == "running"


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=30).filter(str.strip)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.lists(TEXTS.map(str.strip), min_size=CHOICES[0], max_size=CHOICES[1], unique=True))
def test_whatever_is_typed_is_handed_on_as_it_is_and_nowhere_else(question, choices):
    code = opened(question.strip(), choices)
    at = lecturers("votes", vote=code, question=question, choices="\n".join(choices))
    assert not at.exception
    ballot = shown(at, "ballot")
    assert (ballot["question"], ballot["choices"]) == (question.strip(), choices)
    assert ballot["address"].endswith(code)
    assert len([each for each in payloads(at) if "choices" in each]) == 1
