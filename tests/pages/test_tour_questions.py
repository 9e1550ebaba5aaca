"""The questions of the tour: two to four answers, and the right one is right."""

import pytest
from hypothesis import given

from embedviz.text import samples
from pages.tour.facts import facts
from pages.tour.steps import STEPS
from pages.tour.words import MAX_WORDS
from tests.pages.test_tour_steps import CASES, NAMED, TEXTS, WORDS

CAT, MAT = CASES["default"]


def right(name: str, a: str, b: str) -> str:
    asked = NAMED[name].asked(facts(a, b))
    return asked.answers[asked.right]


def check(a: str, b: str) -> None:
    found = facts(a, b)
    for step in STEPS:
        asked = step.asked(found)
        assert (asked is not None) == step.asks(found)
        if asked:
            assert 2 <= len(asked.answers) <= 4
            assert len(set(asked.answers)) == len(asked.answers)
            assert 0 <= asked.right < len(asked.answers)
            assert asked.text.endswith("?")
            assert len(f"{asked.text} {' '.join(asked.answers)}".split()) <= MAX_WORDS


@pytest.mark.parametrize("case", list(CASES))
def test_every_question_has_one_right_answer(case):
    check(*CASES[case])


@given(TEXTS, TEXTS)
def test_every_question_of_any_sentences_has_one_right_answer(a, b):
    check(a, b)


def test_the_default_pair_is_asked_six_times_and_an_empty_one_never():
    assert [step.name for step in STEPS if step.asks(facts(CAT, MAT))] == [
        "IDs", "Same ID", "After", "Attention", "Distance", "Batch",
    ]  # fmt: skip
    assert not [step.name for step in STEPS if step.asks(facts("", ""))]


@given(TEXTS.filter(bool))
def test_what_becomes_of_a_word_without_its_space(text):
    found = facts(text, "")
    if NAMED["IDs"].asks(found):
        token = found.first.tokens.texts[0]
        bare = samples.encoding("gpt2").encode_ordinary(token[1:])
        assert bare != found.first.tokens.ids[:1]
        said = "It becomes another token" if len(bare) == 1 else "It is split into several tokens"
        assert right("IDs", text, "") == said


def test_a_word_that_falls_apart():
    assert right("IDs", "whispered words", "") == "It is split into several tokens"


@given(WORDS, WORDS)
def test_how_many_pairs_stay_identical(a, b):
    found = facts(a, b)
    if NAMED["After"].asks(found):
        kept = found.comparison.n_same_after
        of = found.comparison.n_same_before
        assert right("Same ID", a, b) == "Yes, every number is the same"
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
    asked = NAMED["Batch"].asked(facts(a, b))
    assert asked.answers == answers
    assert asked.right == said
