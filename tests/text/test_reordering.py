"""Tokens in another order are a text with just these tokens, or what is different is said."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.text.reordering import Reordered, reordered
from embedviz.text.tokens import TOKENIZERS, tokenize

WORDS = ["the", "cat", "sat", "on", "mat", "The", "a", "猫", "👩\u200d💻", "é", "القطة", ",", "!", "42", "\n", "  "]


def moved(text: str, order, tokenizer="gpt2", *, prefix_space=True, lower_case=False) -> Reordered | None:
    """The tokens of the text, brought into an order of their places."""
    tokens = tokenize(text, tokenizer, prefix_space, lower_case=lower_case)
    ids = [tokens.ids[place] for place in order]
    return reordered(tokens, ids, prefix_space=prefix_space, lower_case=lower_case)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_words_keep_their_tokens(tokenizer):
    found = moved("on the mat the cat sat", [1, 2, 3, 4, 5, 0], tokenizer)
    assert found.text == "the mat the cat sat on"
    assert (found.lost, found.gained) == (Counter(), Counter())


def test_the_space_of_a_token_moves_along():
    found = moved("on the mat", [1, 2, 0], prefix_space=False)
    assert found.text == " the maton"
    assert found.tokens.texts == [" the", " mat", "on"]
    assert not found.lost


def test_where_no_text_has_the_tokens_the_words_stay_and_the_others_are_named():
    found = moved("s cat", [1, 0], prefix_space=False)  # " cats" is one token
    assert found.text == "cat s"
    assert found.lost == Counter({("s", 82): 1, (" cat", 3797): 1})
    assert found.gained == Counter({("cat", 9246): 1, (" s", 264): 1})


def test_a_comma_that_comes_first_gets_the_space_that_is_added():
    found = moved("cat, dog", [1, 0, 2])  # "," " cat" " dog"
    assert found.text == ", cat dog"
    assert found.tokens.texts == [" ,", " cat", " dog"]
    assert (found.lost, found.gained) == (Counter({(",", 11): 1}), Counter({(" ,", 837): 1}))


def test_capitals_stay_where_the_tokens_have_none():
    assert moved("The Cat", [1, 0], "words", lower_case=True).text == "Cat The"


def test_parts_of_a_character_cannot_stand_apart():
    tokens = tokenize("🐈 cat", "gpt2")
    assert tokens.partial[:2] == [True, True]
    assert moved("🐈 cat", [1, 0, *range(2, len(tokens))]) is None
    together = [len(tokens) - 1, *range(len(tokens) - 1)]
    assert moved("🐈 cat", together).text == "cat 🐈"


def test_other_tokens_are_refused():
    tokens = tokenize("the cat", "gpt2")
    with pytest.raises(ValueError, match="other tokens"):
        reordered(tokens, [tokens.ids[0]] * 2, prefix_space=True, lower_case=False)


@given(st.data(), st.lists(st.sampled_from(WORDS), max_size=7), st.sampled_from(TOKENIZERS), st.booleans())
def test_a_new_order_has_the_tokens_in_it_or_says_which_it_has_not(data, words, tokenizer, prefix_space):
    text = " ".join(words)
    tokens = tokenize(text, tokenizer, prefix_space)
    order = data.draw(st.permutations(range(len(tokens))))
    ids = [tokens.ids[place] for place in order]
    found = reordered(tokens, ids, prefix_space=prefix_space, lower_case=False)
    if found is None:
        assert any(tokens.partial)
        return
    again = tokenize(found.text, tokenizer, prefix_space, vocabulary=tokens.vocabulary)
    assert again.ids == found.tokens.ids
    if not found.lost and not found.gained:
        assert again.ids == ids
    else:
        before, after = (Counter(zip(each.texts, each.ids, strict=True)) for each in (tokens, again))
        assert before - found.lost + found.gained == after


@given(st.data(), st.lists(st.sampled_from("abc"), max_size=8))
def test_words_never_change(data, letters):
    order = data.draw(st.permutations(range(len(letters))))
    found = moved(" ".join(letters), order, "words")
    assert found is None or found.tokens.texts == [letters[place] for place in order]


@pytest.mark.parametrize(
    ("name", "prefix_space"),
    [
        ("byte-level", True), ("roberta", False), ("roberta", True), ("word-pieces", False), ("word-pieces", True),
        ("unigram", False), ("llama", False), ("llama", True), ("gemma", True),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("model_tokenizers")
def test_words_of_a_model_change_places(name, prefix_space):
    before = tokenize("the cat sat on the mat", f"test/{name}", prefix_space)
    after = tokenize("on the mat the cat sat", f"test/{name}", prefix_space)
    found = reordered(before, after.ids, prefix_space=prefix_space, lower_case=False)
    assert found.tokens.ids == after.ids
    assert found.text == after.text
    assert not found.lost + found.gained


@pytest.mark.usefixtures("model_tokenizers")
def test_parts_of_a_word_stay_together():
    tokens = tokenize("the unbel sat", "test/word-pieces")
    assert any(text.startswith("##") for text in tokens.texts)
    ids = [tokens.ids[0], tokens.ids[-2], *tokens.ids[1:-2], tokens.ids[-1]]
    assert reordered(tokens, ids, prefix_space=False, lower_case=False).text == "sat the unbel"


@pytest.mark.usefixtures("model_tokenizers")
def test_a_word_that_the_model_does_not_know_is_kept():
    tokens = tokenize("the 🐈 sat", "test/word-pieces")
    assert tokens.texts == ["[CLS]", "the", "[UNK]", "sat", "[SEP]"]
    ids = [tokens.ids[n] for n in (0, 3, 2, 1, 4)]
    assert reordered(tokens, ids, prefix_space=False, lower_case=False).text == "sat 🐈 the"
