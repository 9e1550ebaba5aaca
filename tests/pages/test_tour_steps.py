"""The tour in words: not many a step, and true of any two sentences, by computations of their own."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import embedviz as ev
from embedviz.base.i18n import use_language
from embedviz.base.locale.catalogues import languages
from embedviz.text import grammar
from embedviz.text.samples import usual_pair
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.components.way.picture import COLUMNS
from embedviz.ui.whole_way.pair import Asked
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.layers.test_small import by_hand

MAX_WORDS = 56  # of a step, with its title
CAT, MAT = usual_pair().a, usual_pair().b
CASES = {
    "usual": (CAT, MAT),
    "one stays": ("dog bites man", "man bites dog"),
    "equal": (CAT, CAT),
    "one token": ("the", "the"),
    "two tokens, none shared": ("a", "b"),
    "other words": (CAT, "the dog ran"),
    "other scripts": ("שלום 🐈 ok", "猫 café"),
    "no break": ("x" * 300, "antidisestablishmentarianism"),
    "too many tokens": ("the cat sat " * 120, "mat the " * 150),
}
_SOME = ("the", "The", "cat", "mat", "on", "sat", "bites", "🐈", "...", "שלום", "x")
WORDS = st.lists(st.sampled_from(_SOME), min_size=1, max_size=20).map(" ".join)
NAMED = {step.key: step for step in STEPS}


def story(a: str, b: str) -> Story:
    return Story(Asked((a, b)))


def right(name: str, told: Story) -> str:
    asked = NAMED[name].asked(told)
    return asked.answers[asked.right]


def check(told: Story) -> None:
    """Each step has a title and few words; each question few answers, of which one is right."""
    for step in STEPS:
        title, words = step.words(told)
        assert title
        assert len(f"{title} {words}".split()) <= MAX_WORDS
        asked = step.asked(told)
        if not asked:
            continue
        assert 2 <= len(asked.answers) <= 3
        assert len(set(asked.answers)) == len(asked.answers)
        assert 0 <= asked.right < len(asked.answers)
        assert asked.text.endswith("?")
        assert len(f"{asked.before} {asked.text} {' '.join(asked.answers)}".split()) <= MAX_WORDS


@pytest.mark.parametrize("case", list(CASES))
def test_every_step_has_few_words_and_its_question_one_right_answer(case):
    check(story(*CASES[case]))


@given(WORDS, WORDS)
@settings(max_examples=20)
def test_so_it_is_with_any_sentences(a, b):
    check(story(a, b))


@pytest.mark.parametrize("tag", languages())
def test_no_language_needs_many_more_words(tag):
    with use_language(tag):
        told = story(CAT, MAT)
        for step in STEPS:
            assert len(" ".join(step.words(told)).split()) <= 1.5 * MAX_WORDS


def test_the_steps_light_the_columns_one_after_another():
    ends = [COLUMNS.index(step.until) for step in STEPS]
    first_end = ends.index(len(COLUMNS) - 1)
    assert ends[: first_end + 1] == sorted(ends[: first_end + 1])
    assert ends[first_end + 1 : first_end + 5] == sorted(ends[first_end + 1 : first_end + 5])
    assert {name for step in STEPS for name in step.lit} == set(COLUMNS) - {"sentences"}


@given(WORDS, WORDS)
@settings(max_examples=30)
def test_how_many_stay_identical(a, b):
    """By the tables of embed alone."""
    told = story(a, b)
    spec = (told.on.a.tokens.tokenizer == "words" and ev.Spec(source="trained")) or ev.Spec()
    read = [ev.embed(text, spec) for text in told.way.texts]
    inputs = [each.input_embeddings for each in read]
    kept = sum(inputs[0][i].tobytes() == inputs[1][j].tobytes() for i, j in told.on.pairs)
    assert told.n_copies == (len(told.on.pairs), kept)
    if NAMED["after"].asked(told):
        of = len(told.on.pairs)
        said = "All of them" if kept == of else "Some of them" if kept else "None"
        if of == 1:
            said = "The one that there is" if kept else "None"
        assert right("after", told) == said
        assert right("same", told) == "Yes"
        assert NAMED["after"].words(told)[0].startswith(f"{kept} of {len(told.on.a.tokens)} ")


def test_the_usual_pair_is_asked_five_times_with_these_right_answers():
    told = story(CAT, MAT)
    assert {step.key: right(step.key, told) for step in STEPS if step.asked(told)} == {
        "same": "Yes", "without": "No", "after": "Some of them", "rope": "Yes", "mask": "Yes",
    }  # fmt: skip


def test_what_the_last_word_looks_at_is_what_the_model_weighs_most():
    told = story(CAT, MAT)
    run = bundled(BUNDLED["learned"])
    layer, head = told.way.head
    most = []
    for text in told.way.texts:
        _states, attentions, _next_word, _lengths = by_hand(run, text, list(range(10)), 1.0)
        row = attentions[layer, head, -1].numpy()
        most.append((text.split()[int(row.argmax())], float(row.max())))
    title, words = NAMED["attention"].words(told)
    plain = title.replace("\u2068", "").replace("\u2069", "")
    assert plain == f"“?” looks at {most[0][0]} in A and at {most[1][0]} in B"
    assert f"{most[0][1]:.2f} of 1 in A, {most[1][1]:.2f} in B" in words


@given(st.sampled_from(grammar.HELD_OUT))
@settings(max_examples=15)
def test_the_answers_are_the_models_likeliest_words(item):
    text = " ".join(item[:-2])
    told = story(text, text)
    said = NAMED["next_word"].words(told)[1]
    assert f"The likeliest word after A is “{item[-2]}”, after B “{item[-2]}”." in said


def test_an_encoder_ends_in_a_cosine_and_the_layers_say_which_copies_part():
    told = story("only I love you", "I love only you")
    a, b = (np.asarray(each.sentence, np.float64) for each in (told.on.a, told.on.b))
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert f"a cosine of {cosine:.3f}" in NAMED["next_word"].words(told)[1]
    assert NAMED["attention"].words(told)[0].startswith(f"{int(told.on.copies_differ[:, -1].sum())} of 4 copies")


def test_a_model_that_adds_nothing_is_not_said_to_add():
    told = Story(Asked((CAT, MAT), "small-gpt-rope"))
    assert NAMED["positions"].words(told)[0] == "No second table, for positions"
    assert NAMED["after"].words(told) == ("10 of 10 tokens are identical in A and B", "Nothing was added.")


def test_a_vote_on_one_question_is_no_vote_on_another():
    told = story(CAT, MAT)
    asked = [step.asked(told).text for step in STEPS if step.asked(told)]
    assert len(set(asked)) == len(asked) == 5


@given(st.permutations(CAT.split()))
@settings(max_examples=25)
def test_rows_of_positions_and_what_stays_are_named_as_the_tokens_stand(words):
    told = story(CAT, " ".join(words))
    a, b = ([*each.tokens.texts] for each in (told.on.a, told.on.b))
    said = {name: re.sub("[\u2068\u2069]", "", NAMED[name].words(told)[1]) for name in ("positions", "after")}
    i, j = told.pair
    assert a[i] == b[j]
    gets = f"{a[i]} gets row {i} in both sentences." if i == j else f"{a[i]} gets row {i} in A and row {j} in B."
    assert gets in said["positions"]
    staying = {a[n] for n, m in told.on.pairs if n == m}
    moved = dict.fromkeys(a[n] for n, m in told.on.pairs if n != m)
    assert ("All but" in said["after"]) == bool(moved and staying and not staying & {*moved})
    if 0 < len(moved) <= 3 and "All but" in said["after"]:
        named = said["after"].partition("All but ")[2].partition(" are identical in A and B")[0]
        assert set(re.split(", | and ", named)) == {*moved}


def test_one_layer_is_said_only_of_a_model_that_has_one():
    assert NAMED["without"].words(story(CAT, MAT))[1].startswith("This model has one layer.")
    two = Story(Asked((CAT, MAT), "small-gpt-none-2"))
    assert "one layer" not in NAMED["without"].words(two)[1]
