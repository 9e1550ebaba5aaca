"""The questions of the tour: two to four answers, and the right one is right."""

import pytest
from hypothesis import given

from embedviz import samples, tour
from embedviz.tour_facts import facts
from embedviz.tour_questions import asks, question
from tests.test_tour import CASES, TEXTS, WORDS

CAT, MAT = CASES["default"]


def right(name: str, a: str, b: str) -> str:
    asked = question(name, facts(a, b))
    return asked.answers[asked.right]


def check(a: str, b: str) -> None:
    found = facts(a, b)
    for name in tour.NAMES:
        asked = question(name, found)
        assert (asked is not None) == asks(name, found)
        if asked:
            assert 2 <= len(asked.answers) <= 4
            assert len(set(asked.answers)) == len(asked.answers)
            assert 0 <= asked.right < len(asked.answers)
            assert asked.text.endswith("?")
            assert len(f"{asked.text} {' '.join(asked.answers)}".split()) <= tour.MAX_WORDS


@pytest.mark.parametrize("case", list(CASES))
def test_every_question_has_one_right_answer(case):
    check(*CASES[case])


@given(TEXTS, TEXTS)
def test_every_question_of_any_sentences_has_one_right_answer(a, b):
    check(a, b)


def test_the_default_pair_is_asked_six_times_and_an_empty_one_never():
    assert [name for name in tour.NAMES if asks(name, facts(CAT, MAT))] == [
        "IDs", "Same ID", "After", "Attention", "Distance", "Batch",
    ]  # fmt: skip
    assert not [name for name in tour.NAMES if asks(name, facts("", ""))]


@given(TEXTS.filter(bool))
def test_what_becomes_of_a_word_without_its_space(text):
    found = facts(text, "")
    if asks("IDs", found):
        token = found.first.tokens.texts[0]
        bare = samples.encoding("gpt2").encode_ordinary(token[1:])
        assert bare != found.first.tokens.ids[:1]
        said = "It becomes another token" if len(bare) == 1 else "It falls into several tokens"
        assert right("IDs", text, "") == said


def test_a_word_that_falls_apart():
    assert right("IDs", "whispered words", "") == "It falls into several tokens"


@given(WORDS, WORDS)
def test_how_many_pairs_stay_identical(a, b):
    found = facts(a, b)
    if asks("After", found):
        kept = found.comparison.n_same_after
        of = found.comparison.n_same_before
        assert right("Same ID", a, b) == "Yes, in every bit"
        if of == 1:
            assert right("After", a, b) == ("It does" if kept else "It does not")
        else:
            said = "All of them" if kept == of else "Some of them" if kept else "None"
            assert right("After", a, b) == said


@pytest.mark.parametrize(
    ("a", "b", "after", "masked"),
    [
        (CAT, MAT, "None", "None"),
        ("dog bites man", "man bites dog", "Some of them", "None"),
        ("the cat sat on the mat", "the mat sat on the cat", "Some of them", "Some of them"),
        ("the", "the", "It does", "It does"),
        ("the cat", "a the", "It does not", "It does not"),
    ],
)
def test_positions_and_the_mask_on_known_pairs(a, b, after, masked):
    assert right("After", a, b) == after
    assert right("Attention", a, b) == masked


def test_scores_stay_with_rope_alone():
    for a, b in (CASES["default"], CASES["one token"], CASES["too many tokens"]):
        assert right("Distance", a, b) == "RoPE, as in LLaMA"


@pytest.mark.parametrize(
    ("a", "b", "answers", "said"),
    [
        (CAT, MAT, ("12, one for each token", "6, one for each position", "2, one for each sentence"), 1),
        ("dog", "cat", ("2, one for each token", "1, one for each position"), 1),
        ("dog ran", "cat ran", ("4, one for each token", "2, one for each position"), 1),
    ],
)
def test_positions_of_a_batch(a, b, answers, said):
    asked = question("Batch", facts(a, b))
    assert asked.answers == answers
    assert asked.right == said
