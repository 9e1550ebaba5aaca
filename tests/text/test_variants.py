"""One word under several IDs, and the true reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.text.variants import Variant, variants

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"


def test_a_leading_space_gives_a_word_two_ids():
    found = variants(ev.tokenize(CAT, prefix_space=False), ev.tokenize(MAT, prefix_space=False))
    assert found == [
        Variant("on", (("on", 261), (" on", 319)), by_space=True, by_case=False),
        Variant("the", (("the", 1169), (" the", 262)), by_space=True, by_case=False),
    ]


def test_with_a_prefix_space_the_pair_has_none():
    assert variants(ev.tokenize(CAT), ev.tokenize(MAT)) == []


def test_a_capital_gives_a_word_two_ids():
    assert variants(ev.tokenize("The the")) == [
        Variant("the", ((" the", 262), (" The", 383)), by_space=False, by_case=True)
    ]


def test_space_and_capital_together():
    (the,) = variants(ev.tokenize("The dog saw the cat", prefix_space=False))
    assert the == Variant("the", (("The", 464), (" the", 262)), by_space=True, by_case=True)


def test_capitals_among_whole_words():
    (the,) = variants(ev.tokenize("The the", "words"))
    assert the == Variant("the", (("The", 0), ("the", 1)), by_space=False, by_case=True)


@pytest.mark.parametrize("text", ["", "   \n ", ". , .the,the ,the", "the the the", "🐈 🐈🐈", "猫猫 猫"])
def test_texts_without_variants(text):
    assert variants(ev.tokenize(text)) == []


@pytest.mark.parametrize(
    ("text", "tokenizer"),
    [("Hi.\nBye.", "cl100k_base"), ("\treturn return", "cl100k_base"), ("Bye!\nBye!", "o200k_base"), ("ß ss", "words")],
)
def test_no_other_reason_passes_for_a_space_or_a_capital(text, tokenizer):
    """A line end or a tab inside a token, or a letter that is written in two ways."""
    found = variants(ev.tokenize(text, tokenizer))
    assert not any(variant.by_case for variant in found)
    assert all(variant.by_space for variant in found)


@pytest.mark.parametrize("tokenizer", ["words", "gpt2", "cl100k_base", "o200k_base"])
@given(pieces=st.lists(st.sampled_from(["the", "The", " the", " The", "\tthe", ".", ".\n", " .", "\n", "THE"])))
def test_every_variant_has_a_reason(tokenizer, pieces):
    for variant in variants(ev.tokenize("".join(pieces), tokenizer)):
        assert variant.by_space or variant.by_case
        assert len({id_ for _, id_ in variant.forms}) == len(variant.forms) > 1
