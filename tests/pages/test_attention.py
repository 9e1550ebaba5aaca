"""The page "Attention", run without a browser."""

import numpy as np
import pytest

from embedviz.positions import SCHEMES
from tests.pages.site import headlines, messages, shown, visit

CASES = ("plain", "chosen", "masked")


def titles(at) -> list[str]:
    found = [shown(at, f"case_{name}")["cards"] for name in CASES]
    return [card["title"] for (card,) in found]


def drawn(at, case: str) -> np.ndarray:
    (trace,) = shown(at, case)["data"]
    return trace["z"]


def captions(at) -> list[str]:
    return [each.value for each in at.caption]


def test_the_default_page_shows_the_three_claims():
    at = visit("attention")
    assert not at.exception
    assert titles(at) == [
        "No positions, no mask: 6 of 6 outputs the same",
        "Learned, no mask: 0 of 6 outputs the same",
        "Causal mask alone: 1 of 6 outputs the same",  # the first token, which sees itself alone
    ]
    of_another_first = titles(visit("attention", b="on the mat the cat sat"))
    assert of_another_first[2] == "Causal mask alone: 0 of 6 outputs the same"
    assert "Can attention tell two orders apart?" in captions(at)[0]
    assert any("One random attention layer" in each for each in captions(at))


@pytest.mark.parametrize(
    ("query", "claim"),
    [
        ({}, "Without positions or a mask, attention cannot tell the orders apart"),
        ({"position": "none"}, "Attention hears order by a mask alone here"),
        ({"a": "cat cat cat", "b": "cat cat cat cat"}, "Attention hears order by positions, and not by a mask here"),
        ({"b": "the cat sat on the mat"}, "The same tokens in the same order"),
        ({"b": "the mat sat"}, "Attention tells these sentences apart by their words"),
    ],
)
def test_the_headline_is_what_the_three_cases_show_together(query, claim):
    assert [*headlines(visit("attention", **query)).values()] == [claim]


PAIRS = [
    {},
    {"causal": "true"},
    {"a": "dog bites man", "b": "bites dog man"},
    {"a": "the cat", "b": "the cat sat", "position": "rope"},
    {"position": "none", "b": "the cat sat on the mat"},
    {"tokenizer": "words", "output_dim": "16", "n_heads": "2", "a": "a b c a", "b": "b a c"},
]


@pytest.mark.parametrize("query", PAIRS)
def test_a_sentence_and_its_matrix_say_the_same(query):
    at = visit("attention", **query)
    assert not at.exception
    most = {shown(at, case)["layout"]["coloraxis"]["cmax"] for case in CASES}
    assert len(most) == 1  # one colour means one distance in all three
    for case, title in zip(CASES, titles(at), strict=True):
        cells = drawn(at, case)
        copies = cells[~np.isnan(cells)]
        n_blank = int((cells < 1e-4 * max(most)).any(axis=1).sum())  # far less than a colour: the cell is blank
        assert title.endswith(f": {n_blank} of {len(cells)} outputs the same")  # tokens of A, as Compare counts them
        assert f"{title}." in shown(at, case)["alt"]
        assert len(shown(at, case)["layout"]["shapes"]) == len(copies)  # a frame each


def test_the_matrices_hold_the_distances_of_copies_and_nothing_else():
    at = visit("attention", a="dog bites man", b="man bites dog")
    for case in CASES:
        assert np.array_equal(~np.isnan(drawn(at, case)), np.eye(3, dtype=bool)[::-1])


def test_sentences_without_a_common_token_have_no_matrix():
    at = visit("attention", a="cat", b="dog")
    assert messages(at) == ["No token of A has the ID of a token of B: there is nothing to compare."]
    assert shown(at, "plain") is None


@pytest.mark.parametrize("position", list(SCHEMES))
def test_every_scheme_can_be_chosen(position):
    at = visit("attention", position=position, causal="true")
    assert not at.exception
    assert messages(at) == []
    name = "No positions" if position == "none" else SCHEMES[position].title
    assert titles(at)[1].startswith(f"{name}, causal mask")


def test_a_scale_of_zero_is_no_positions():
    at = visit("attention", position_scale="0.0")
    assert titles(at)[1] == "No positions, no mask: 6 of 6 outputs the same"
    assert not any("mean of the input" in each for each in captions(at))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"n_heads": "3"}, "n_heads must divide output_dim; 256 dimensions do not go into 3 heads. Try n_heads 2."),
        ({"n_heads": "0"}, "Heads: 0 is out of range. Take 1 to 64; 4 stays in use."),
        ({"position": "rope", "output_dim": "12"}, "RoPE turns dimensions in pairs"),
        ({"a": "", "b": "the"}, "Sentence A is empty: type a few words."),
        ({"a": "the " * 69 + "the"}, "70 tokens are too many to show; the first 64 are used."),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    at = visit("attention", **query)
    assert not at.exception
    assert any(message in each for each in messages(at))


@pytest.mark.parametrize(
    "query",
    [
        {"a": "<script>alert(1)</script> **x** $x^2$", "b": "\x00 \u202e 🐈"},
        {"causal": "maybe", "n_heads": "inf", "head": "nan", "position": "rotary"},
        {"a": "", "b": ""},
        {"a": "cat", "b": "dog"},
    ],
)
def test_hostile_addresses_are_no_error(query):
    assert not visit("attention", **query).exception


def test_the_seed_fills_the_matrices_of_trained_vectors_too():
    pages = [visit("attention", source="trained", seed=seed) for seed in ("1", "2")]
    assert [page.number_input(key="seed").value for page in pages] == [1, 2]
