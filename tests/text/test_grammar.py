"""The grammar makes the sentences that it says, and every word has one class."""

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import pairwise

import pytest

from embedviz.text import grammar


def sentences(n: int, seed: int) -> list[list[str]]:
    generator = random.Random(seed)  # noqa: S311
    return [grammar.sentence(generator) for _ in range(n)]


def test_every_word_has_one_class_and_a_place_in_order():
    words = [word for members in grammar.CLASSES.values() for word in members]
    assert len(set(words)) == len(words) == len(grammar.VOCABULARY)
    assert list(grammar.VOCABULARY) == sorted(words)


def test_the_same_seed_makes_the_same_sentences():
    assert sentences(50, 7) == sentences(50, 7) != sentences(50, 8)


def test_every_word_occurs_and_every_sentence_fits_the_default_context():
    found = sentences(3000, 123)
    assert {word for sentence in found for word in sentence} == set(grammar.VOCABULARY)
    assert max(map(len, found)) <= 16
    assert all(sentence[-1] == "." and "." not in sentence[:-1] for sentence in found)


def test_only_what_lives_bites_and_only_what_lives_rests():
    before = {
        after: {grammar.CLASS_OF[a] for sentence in sentences(3000, 1) for a, b in pairwise(sentence) if b in words}
        for after, words in grammar.CLASSES.items()
    }
    assert before["verb-act"] == before["verb-rest"] == {"noun-alive"}
    assert before["noun-thing"] == {"determiner", "adjective"}
    assert before["adjective"] == {"determiner"}
    assert "determiner" not in before["determiner"]


def surprise(sentences: list[list[str]], known: Callable[[list[str]], Hashable]) -> float:
    """Nats a word of whoever knows so much of the words before, and has counted what follows."""
    counted: dict[Hashable, Counter[str]] = {}
    for sentence in sentences:
        for n in range(1, len(sentence)):
            counted.setdefault(known(sentence[:n]), Counter())[sentence[n]] += 1
    total = sum(each.total() for each in counted.values())
    return -sum(n * math.log(n / each.total()) for each in counted.values() for n in each.values()) / total


def last_and_which_before(words: list[str]) -> Hashable:
    return words[-1], frozenset(words)


def test_the_sentences_need_no_order_to_tell_the_class_of_the_next_word():
    """The last class and the set of those before tell as much as all of them in order; words of a class are drawn."""
    found = [[grammar.CLASS_OF[word] for word in sentence] for sentence in sentences(20_000, 5)]
    assert surprise(found, last_and_which_before) == pytest.approx(surprise(found, tuple), abs=0.01)
    assert surprise(found, frozenset) > surprise(found, tuple) + 0.1  # so much the last class does tell


def test_in_a_rhyme_the_order_decides():
    generator = random.Random(3)  # noqa: S311
    found = [grammar.rhyme(generator) for _ in range(20_000)]
    for rhyme in found[:200]:
        assert rhyme[4:7] == rhyme[:3]
        assert len(set(rhyme[:3])) == 3
        assert set(rhyme) <= set(grammar.RHYME_VOCABULARY)
        assert [rhyme[3], rhyme[7]] == ["again", "."]
    assert surprise(found, last_and_which_before) > surprise(found, tuple) + 0.2
    # Who knows the order is surprised in the first half alone, by one of six words and by one of five.
    assert surprise(found, tuple) == pytest.approx((math.log(6) + math.log(5)) / 7, abs=0.01)


def test_both_orders_of_the_first_pages_sentence_are_sentences():
    shapes = {tuple(map(grammar.CLASS_OF.get, sentence)) for sentence in sentences(3000, 2)}
    for text in ("the cat sat on the mat .", "on the mat the cat sat .", "dog bites man .", "man bites dog ."):
        assert tuple(map(grammar.CLASS_OF.get, text.split())) in shapes
