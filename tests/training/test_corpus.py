"""A text as windows for training: what is in them, what is held out, what shuffling does."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.text import grammar
from embedviz.training.corpus import MAX_CHARACTERS, check_text, corpus

TEXT = "The cat sat on the mat. Did the dog bite? No! " * 8


def sentences(found, ends: str) -> list[list[str]]:
    words = [found.vocabulary[id_] for id_ in torch.cat([found.training, found.held_out]).tolist()]
    cut = [[]]
    for word in words:
        cut[-1].append(word)
        if word in ends:
            cut.append([])
    return cut[:-1]


def items(found, part: torch.Tensor) -> list[tuple[str, ...]]:
    """What a part of the site's own language says, item by item."""
    said = " ".join(found.vocabulary[id_] for id_ in part.tolist())
    assert said.endswith(" .")
    return [tuple(f"{item} .".split()) for item in said.removesuffix(" .").split(" . ")]


def test_of_a_text_the_last_tenth_of_the_words_is_held_out():
    found = corpus(TEXT, 4, 123, False)
    n = len(found.training) + len(found.held_out)
    assert len(found.held_out) == n // 10
    assert found.vocabulary == tuple(sorted({*ev.tokenize(TEXT, "words").texts}))


def test_each_item_of_the_language_is_there_once_in_an_order_of_the_seed():
    found = corpus("", 11, 123, False)
    assert found.vocabulary == grammar.VOCABULARY
    learned, held_out = items(found, found.training), items(found, found.held_out)
    assert Counter(learned) == Counter(grammar.LEARNED)
    assert Counter(held_out) == Counter(grammar.HELD_OUT)
    assert learned != list(grammar.LEARNED)
    assert learned != items(found, corpus("", 11, 124, False).training)


@pytest.mark.parametrize("length", [11, 16])
def test_windows_of_the_language_begin_with_an_item_and_fit(length):
    found = corpus("", length, 123, False)
    stop = found.vocabulary.index(".")
    for part, starts in ((found.training, found.starts), (found.held_out, found.held_out_starts)):
        assert starts[0] == 0
        assert (part[starts[1:] - 1] == stop).all()
        assert int(starts.max()) + length < len(part)
        missed = set(range(1, len(part) - length)) - set(starts.tolist())
        assert not any(part[n - 1] == stop for n in missed)


@pytest.mark.parametrize("shuffled", [False, True])
def test_of_questions_whole_pairs_are_held_out(shuffled):
    """What is held out is of two nouns that what is learned never has together, in whatever order its words are."""
    found = corpus("", 11, 123, shuffled)
    parts = [items(found, part) for part in (found.training, found.held_out)]
    for part, known in zip(parts, (grammar.LEARNED, grammar.HELD_OUT), strict=True):
        assert Counter(tuple(sorted(item)) for item in part) == Counter(tuple(sorted(item)) for item in known)
    learned, held_out = ({frozenset({*item} & {*grammar.NOUNS}) for item in part} for part in parts)
    assert (len(learned), len(held_out), learned & held_out) == (36, 9, set())
    assert frozenset({"cat", "mat"}) in held_out
    assert (parts[0] == [*dict.fromkeys(parts[0])]) or shuffled  # words in another order may say the same twice


@pytest.mark.parametrize("shuffled", [False, True])
def test_no_window_holds_two_questions(shuffled):
    """So that the answers that count twice are one in each window, and what comes before is one item."""
    found = corpus("", 11, 5, shuffled)
    asks = found.vocabulary.index("?")
    for part, starts in ((found.training, found.starts), (found.held_out, found.held_out_starts)):
        for start in starts.tolist():
            assert (part[start : start + 11] == asks).sum() == 1


def test_the_held_out_questions_are_not_in_an_order_that_would_leave_some_out():
    """The loss is measured on every fifth, which must not be one form alone."""
    found = corpus("", 11, 123, False)
    forms = Counter(
        "fronted" if item[0] != "the" else "passive" if "is" in item else "active" if item[3] == "the" else "rest"
        for item in items(found, found.held_out)[::5]
    )
    assert sum(forms.values()) == 116
    assert forms["rest"] > 25
    assert forms["fronted"] > 25
    assert forms["active"] > 7
    assert forms["passive"] > 7


def test_windows_of_a_text_begin_anywhere():
    found = corpus(TEXT, 4, 1, False)
    assert found.starts.tolist() == list(range(len(found.training) - 4))
    words = [found.vocabulary[id_] for id_ in torch.cat([found.training, found.held_out]).tolist()]
    assert words == ev.tokenize(TEXT, "words").texts


@pytest.mark.parametrize("text", ["", TEXT])
def test_shuffling_keeps_the_words_of_each_sentence_and_the_mark_at_its_end(text):
    plain, shuffled = (sentences(corpus(text, 8, 9, flag), ".?!" if text else ".") for flag in (False, True))
    assert list(map(Counter, plain)) == list(map(Counter, shuffled))
    assert [sentence[-1] for sentence in plain] == [sentence[-1] for sentence in shuffled]
    assert plain != shuffled


def test_the_seed_decides():
    one, two, other = (corpus("", 16, seed, True).training.tolist() for seed in (4, 4, 5))
    assert one == two != other


@given(st.text(max_size=300), st.integers(4, 32), st.booleans())
def test_any_text_is_taken_or_refused_with_a_message(text, context_length, shuffled):
    try:
        check_text(text, context_length)
    except ev.EmbedvizError as error:
        assert "Take a" in str(error)  # noqa: PT017
        return
    found = corpus(text, context_length, 0, shuffled)
    assert len(found.starts) >= 1
    assert len(found.held_out_starts) >= 1
    assert int(found.starts.max()) + context_length < len(found.training)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the cat", "The text has 2 words and marks; with context_length 16 training needs at least 35"),
        ("cat " * 100, "one word again and again"),
        ("a b " * MAX_CHARACTERS, "The text has 20,000 characters; the limit is 5,000. Take a shorter one."),
        ("\n\t ", "The text has 0 words"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(text, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        check_text(text, 16)


def test_as_few_words_as_the_message_says_are_enough():
    text = " ".join(f"w{n % 5}" for n in range(35))
    found = corpus(text, 16, 0, False)
    assert (len(found.starts), len(found.held_out_starts)) == (2, 1)
    with pytest.raises(ev.EmbedvizError, match="34 words"):
        check_text(text.rsplit(" ", 1)[0], 16)
