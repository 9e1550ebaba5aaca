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


def sentences(found) -> list[list[str]]:
    words = [found.vocabulary[id_] for id_ in torch.cat([found.training, found.held_out]).tolist()]
    cut = [[]]
    for word in words:
        cut[-1].append(word)
        if word in ".?!":
            cut.append([])
    return cut[:-1]


def test_the_last_tenth_of_the_words_is_held_out():
    found = corpus("", 16, 123, False)
    n = len(found.training) + len(found.held_out)
    assert len(found.held_out) == n // 10
    assert found.vocabulary == grammar.VOCABULARY


def test_windows_of_the_grammar_begin_with_a_sentence_and_fit():
    found = corpus("", 16, 123, False)
    stop = found.vocabulary.index(".")
    for part, starts in ((found.training, found.starts), (found.held_out, found.held_out_starts)):
        assert starts[0] == 0
        assert (part[starts[1:] - 1] == stop).all()
        assert int(starts.max()) + 16 < len(part)
        missed = set(range(1, len(part) - 16)) - set(starts.tolist())
        assert not any(part[n - 1] == stop for n in missed)


@pytest.mark.parametrize("shuffled", [False, True])
def test_of_questions_whole_combinations_are_held_out(shuffled):
    found = corpus("", 16, 123, shuffled, "who")
    assert found.vocabulary == grammar.WHO_VOCABULARY
    words = ([found.vocabulary[id_] for id_ in part.tolist()] for part in (found.training, found.held_out))
    learned, held_out = (Counter(frozenset(line.split()) for line in " ".join(part).split(".")[:-1]) for part in words)
    assert sum(learned.values()) == 3000
    assert set(learned) <= {frozenset(item[:-1]) for item in grammar.WHO_LEARNED}
    assert held_out == Counter(frozenset(item[:-1]) for item in grammar.WHO_HELD_OUT)
    assert not set(learned) & set(held_out)
    for part, starts in ((found.training, found.starts), (found.held_out, found.held_out_starts)):
        assert (part[starts[1:] - 1] == found.vocabulary.index(".")).all()
        assert int(starts.max()) + 16 < len(part)


def test_the_held_out_questions_are_not_in_an_order_that_would_leave_some_out():
    """The loss is measured on every fourth, which must not be one question of each combination alone."""
    found = corpus("", 16, 123, False, "who")
    words = [found.vocabulary[id_] for id_ in found.held_out.tolist()]
    passive = ["is" in line for line in " ".join(words).split(".")[:-1]]
    assert 30 < sum(passive[::4]) < 67


def test_windows_of_a_text_begin_anywhere():
    found = corpus(TEXT, 4, 1, False)
    assert found.starts.tolist() == list(range(len(found.training) - 4))
    words = [found.vocabulary[id_] for id_ in torch.cat([found.training, found.held_out]).tolist()]
    assert words == ev.tokenize(TEXT, "words").texts


@pytest.mark.parametrize("text", ["", TEXT])
def test_shuffling_keeps_the_words_of_each_sentence_and_the_mark_at_its_end(text):
    plain, shuffled = (sentences(corpus(text, 8, 9, flag)) for flag in (False, True))
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
