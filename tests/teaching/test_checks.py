"""When a challenge is solved: cases that solve it, cases that don't, and plain loops over many."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
import tiktoken
from hypothesis import assume, given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.teaching.checks import one_row_missing, same_answer, says_mat, two_cuts, two_stay
from embedviz.text.grammar import NOUNS, PARTICIPLES, PLACES, RESTS, item
from embedviz.text.segmentation import segment
from embedviz.text.tokens import TOKENIZERS
from embedviz.training.answers import placement
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.run import beginning
from embedviz.vectors.copies import Copies
from embedviz.vectors.embedding import with_vocabulary
from embedviz.vectors.position_tables import TableSettings

WORDS = ("cat", "dog", "sat", "mat", "on", "the")
QUESTION = "the cat sat on the mat , who sat ?"


def solves_two_stay(a, b, **spec):
    shared = with_vocabulary(ev.Spec(output_dim=8, **spec), a, b)
    return two_stay(Copies(ev.compare(ev.embed(a, shared), ev.embed(b, shared))))


@given(data=st.data(), words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
def test_two_stay_in_another_order_with_the_same_token_at_two_positions_alone(data, words):
    other = data.draw(st.permutations(words))
    n_same = sum(one == another for one, another in zip(words, other, strict=True))
    expected = other != words and n_same == 2
    assert solves_two_stay(" ".join(words), " ".join(other)) is expected
    assert solves_two_stay(" ".join(words), " ".join([*other, "bird"])) is False


@pytest.mark.parametrize(
    ("a", "b", "spec", "expected"),
    [
        ("the cat sat on the mat", "the sat cat on mat the", {}, True),
        ("the cat sat on the mat", "the mat sat on the cat", {}, False),  # four stay
        ("dog bites", "dog bites", {}, False),  # no other order
        ("dog bites", "bites dog", {"position": "none"}, False),  # both are found again, since nothing was added
        ("dog bites man now", "dog bites now man", {"position": "rope"}, False),
        ("dog bites man now", "dog bites now man", {"position": "sinusoidal"}, True),
        ("dog bites man now", "dog bites now man", {"position_scale": 0.0}, False),
        ("dog bites man now", "dog bites man mat", {}, False),  # another word
        ("the cat sat the", "the cat the sat", {"prefix_space": False}, True),
        ("", "", {}, False),
    ],
)
def test_two_stay_one_by_one(a, b, spec, expected):
    assert solves_two_stay(a, b, **spec) is expected


@cache
def read(text, name="none", scale=1.0):
    return forward(bundled(BUNDLED[name]), text, Placement(scale=scale))


@given(one=st.permutations(QUESTION.split()), other=st.permutations(QUESTION.split()))
def test_one_layer_without_positions_says_the_same_after_orders_with_the_same_end(one, other):
    assume(one != other)
    a, b = (" ".join(each) for each in (one, other))
    assert same_answer(read(a), read(b)) is (one[-1] == other[-1])
    assert same_answer(read(a, "learned", 0.0), read(b, "learned", 0.0)) is (one[-1] == other[-1])
    assert same_answer(read(a, "learned"), read(b, "learned")) is False


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (QUESTION, "the mat sat on the cat , who sat ?", True),
        (QUESTION, "on the mat the cat sat , who sat ?", True),
        (QUESTION, QUESTION, False),
        (QUESTION, "the dog sat on the mat , who sat ?", False),
        (QUESTION, "? sat who , mat the on sat cat the", False),
        ("the cat sat on the mat", "the on sat cat the mat", True),
        ("the cat sat on the mat", "the mat sat on the cat", False),
        ("the cat mat", "cat cat the mat", False),  # another multiset
        ("dog bites man", "bites dog man", True),
        ("dog bites man", "bites man dog", False),
        ("dog man", "dog dog man", False),
    ],
)
def test_two_orders_one_by_one(a, b, expected):
    assert same_answer(read(a), read(b)) is expected


def test_two_layers_without_positions_tell_these_orders_apart():
    pair = (QUESTION, "the mat sat on the cat , who sat ?")
    assert same_answer(*(read(text, "none_2_layers") for text in pair)) is False


@pytest.fixture(scope="module")
def encode(tiktoken_cache):
    """GPT-2's own tokenizer, of tiktoken's files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(tiktoken_cache))
        return tiktoken.get_encoding("gpt2").encode


@given(word=st.text("abcdehilmnorst", min_size=1, max_size=9), prefix_space=st.booleans())
def test_gpt2_cuts_a_word_in_two_ways_where_a_space_changes_its_tokens(encode, word, prefix_space):
    (space,), (first, *others) = encode(" "), encode(f" {word}")
    later = others if first == space else [first, *others]  # a space that is a token of its own is none of the word's
    found = segment(f"{word} and {word}", TOKENIZERS, prefix_space)
    assert two_cuts(found) is (not prefix_space and encode(word) != later)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the cat sat on the mat", True),
        ("a cat sat on the mat", False),
        ("on the mat the cat sat", False),
        ("bites and bites", True),  # two tokens and one
        ("The cat sat on the mat", False),  # another word, by its capital
        ("cat, dog, cat", False),
        ("", False),
    ],
)
def test_texts_one_by_one(text, expected):
    assert two_cuts(segment(text, TOKENIZERS)) is expected
    assert two_cuts(segment(text, ["words", "cl100k_base"])) is False


@given(rows=st.integers(1, 128), length=st.integers(1, 256))
def test_the_shortest_text_without_a_row_is_one_longer_than_the_table(rows, length):
    missing = [place for place in range(length) if place not in range(rows)]
    assert one_row_missing(length, TableSettings(context_length=rows)) is (len(missing) == 1)


@pytest.mark.parametrize("form", ["rest", "active"])
@pytest.mark.parametrize("other", [noun for noun in NOUNS if noun != "mat"])
def test_the_other_noun_is_said_when_the_nouns_exchange_their_positions(other, form):
    run = bundled(BUNDLED["learned"])
    for first, second in ((other, "mat"), ("mat", other)):
        for verb, place in product(RESTS, PLACES) if form == "rest" else product(PARTICIPLES, [""]):
            *text, right, _stop = item(form, first, verb, second, place)
            found = {change: forward(run, " ".join(text), placement(change, text)) for change in ("on", "exchanged")}
            assert right == first
            assert says_mat(run, found["on"], right) is False
            assert says_mat(run, found["exchanged"], right) is (right == other)


def test_a_model_without_positions_or_training_solves_nothing_by_chance():
    mat = bundled(BUNDLED["learned"]).vocabulary.index("mat")
    for run, expected in (
        (bundled(BUNDLED["learned"]), True),
        (bundled(BUNDLED["rope"]), True),
        (bundled(BUNDLED["none"]), False),
        (beginning(BUNDLED["learned"]), False),
    ):
        chances = [float(n == mat) for n in range(len(run.vocabulary))]
        a = replace(forward(run, QUESTION), next_word=np.array(chances))
        assert says_mat(run, a, "cat") is expected
        assert says_mat(run, a, "mat") is False
