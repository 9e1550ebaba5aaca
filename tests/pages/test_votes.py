"""A hall's vote as its lecturer sees it, on the questions of the Tour."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

import pytest
from streamlit.testing.v1 import AppTest

from embedviz.base.i18n import use_language
from embedviz.base.locale.catalogues import languages
from embedviz.base.votes import votes
from embedviz.base.votes.votes import MOST_CHOICES, Vote
from embedviz.text.samples import usual_pair
from embedviz.ui.components.share.share import qr_rows
from embedviz.ui.whole_way.pair import Asked
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.pages.site import before_visit, messages, shown

LECTURER = "a browser"
STORY = Story(Asked((usual_pair().a, usual_pair().b)))
ASKED = {step.key: step.asked(STORY) for step in STEPS if step.asked(STORY)}


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    votes.votes.cache_clear()
    yield
    votes.votes.cache_clear()


def opened(question: str, choices: Sequence[str], lecturer: str = LECTURER) -> str:
    owner = sha256(lecturer.encode()).hexdigest()
    return votes.votes().open(Vote(question, choices, "en", owner))


def lecturers(**query: str) -> AppTest:
    at = before_visit("tour", **query)
    at.session_state["visitor"] = LECTURER
    return at.run()


def vote_by(code: str, *choices: int) -> None:
    for n, choice in enumerate(choices):
        assert votes.votes().cast(code, f"voter {n}", choice)


def test_whoever_has_the_code_alone_sees_no_counts_and_no_vote():
    step, asked = next(iter(ASKED.items()))
    code = opened(asked.text, asked.answers, "another browser")
    at = lecturers(view=step, vote=code)
    assert shown(at, "tour_panel")["vote"] == ""
    assert shown(at, "tour_ballot") is None


@pytest.mark.parametrize("code", ["", "BBBBB", "x" * 1000, "<b>", "../count", "\0"])
def test_a_code_that_was_made_up_is_no_vote(code):
    at = lecturers(vote=code, view="after")
    assert not at.exception
    assert messages(at) == []


@pytest.mark.parametrize("present", [{}, {"present": "1"}])
@pytest.mark.parametrize("step", ASKED)
def test_a_question_of_the_tour_is_voted_on_then_its_bars_come_and_then_the_answer_with_its_picture(step, present):
    asked = ASKED[step]
    query = {"view": step, **present}
    panel = shown(lecturers(**query), "tour_panel")
    assert (panel["hall"], panel["vote"]) == (bool(present), "")
    code = opened(asked.text, asked.answers)
    vote_by(code, asked.right, 0)
    for is_over in (False, True):
        at = lecturers(vote=code, **query)
        panel, ballot = shown(at, "tour_panel"), shown(at, "tour_ballot")
        assert (panel["hall"], panel["vote"]) == (True, "over" if is_over else "running")
        assert panel["answers"] == list(asked.answers)
        assert panel["step"] in panel["stops"]
        assert panel["verdict"] is None
        assert ballot["choices"] == list(asked.answers)
        assert ("counts" in ballot) == is_over
        assert ballot["address"].endswith(f"vote/{code}")
        assert ballot["rows"] == qr_rows(ballot["address"])
        assert ballot["n"] == 2
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
    at = lecturers(view="same", vote=code, a="dog bites man", b="man bites dog")
    assert shown(at, "tour_panel")["vote"] == ""
    assert shown(at, "tour_ballot") is None


def test_a_reload_of_the_tour_at_another_step_keeps_the_vote():
    asked = ASKED["same"]
    code = opened(asked.text, asked.answers)
    assert shown(lecturers(view="positions", vote=code), "tour_panel")["vote"] == ""
    assert shown(lecturers(view="same", vote=code), "tour_panel")["vote"] == "running"


@pytest.mark.parametrize("language", languages())
def test_a_vote_has_room_for_the_answers_of_each_question_and_they_differ_in_every_language(language):
    with use_language(language):
        for step in STEPS:
            if asked := step.asked(STORY):
                answers = asked.answers
                assert 2 <= len(set(answers)) == len(answers) <= MOST_CHOICES
