"""The questions of the tour: two to four answers, and the right one is right."""

import pytest
from hypothesis import given

from pages.tour.facts import facts
from pages.tour.steps import STEPS
from tests.pages.test_tour_steps import CASES, MAX_WORDS, NAMED, TEXTS, WORDS

CAT, MAT = CASES["default"]


def right(name: str, a: str, b: str) -> str:
    asked = NAMED[name].asked(facts(a, b))
    return asked.answers[asked.right]


def check(a: str, b: str) -> None:
    found = facts(a, b)
    for step in STEPS:
        asked = step.asked(found)
        assert (asked is not None) == step.is_asked(found)
        if asked:
            assert 2 <= len(asked.answers) <= 3
            assert len(set(asked.answers)) == len(asked.answers)
            assert 0 <= asked.right < len(asked.answers)
            assert asked.text.endswith("?")
            assert len(f"{asked.before} {asked.text} {' '.join(asked.answers)}".split()) <= MAX_WORDS


@pytest.mark.parametrize("case", list(CASES))
def test_every_question_has_one_right_answer(case):
    check(*CASES[case])


@given(TEXTS, TEXTS)
def test_every_question_of_any_sentences_has_one_right_answer(a, b):
    check(a, b)


def test_the_default_pair_is_asked_five_times_and_an_empty_one_about_the_small_gpt_alone():
    asked = [step.key for step in STEPS if step.is_asked(facts(CAT, MAT))]
    assert asked == ["same", "after", "attention", "mask", "next_word"]
    assert [step.key for step in STEPS if step.is_asked(facts("", ""))] == ["next_word"]


@given(WORDS, WORDS)
def test_how_many_stay_identical(a, b):
    found = facts(a, b)
    if NAMED["after"].is_asked(found):
        kept, of = found.copies.n_after, found.copies.n_before
        assert right("same", a, b) == "Yes"
        if of == 1:
            assert right("after", a, b) == ("The one that there is" if kept else "None")
        else:
            said = "All of them" if kept == of else "Some of them" if kept else "None"
            assert right("after", a, b) == said


@pytest.mark.parametrize(
    ("a", "b", "after", "masked"),
    [
        (CAT, MAT, "None", "None"),
        ("dog bites man", "man bites dog", "Some of them", "None"),
        ("the cat sat on the mat", "the mat sat on the cat", "Some of them", "Some of them"),
        ("the", "the", "The one that there is", "The one that there is"),
        ("the cat", "a the", "None", "None"),
    ],
)
def test_positions_and_the_mask_on_known_pairs(a, b, after, masked):
    assert right("after", a, b) == after
    assert right("mask", a, b) == masked


def test_without_positions_all_come_out_the_same_and_the_small_gpt_says_one_word():
    assert right("attention", CAT, MAT) == "All of them"
    assert right("next_word", CAT, MAT) == "Twice the same word"
