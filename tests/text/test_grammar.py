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


def test_who_asks_about_what_happened_and_answers():
    assert " ".join(grammar.asked("dog", "bites", "man", is_passive=False)) == "dog bites man , who bites ? dog ."
    assert " ".join(grammar.asked("dog", "sees", "man", is_passive=True)) == "dog sees man , who is seen ? man ."
    generator = random.Random(8)  # noqa: S311
    found = [tuple(grammar.who(generator)) for _ in range(20_000)]
    assert set(found) == set(grammar.WHO_LEARNED)
    assert {word for item in found for word in item} == set(grammar.WHO_VOCABULARY)
    # Without the order the answer is one of two, and nothing else about it is unknown.
    answer = [list(item[:-1]) for item in found]
    ordered, unordered = (
        surprise([[str(known(item[:-1])), item[-1]] for item in answer], lambda said: said[0])
        for known in (tuple, lambda words: (sorted(words[:3]), len(words)))
    )
    assert ordered == 0
    assert unordered == pytest.approx(math.log(2), abs=0.01)


def test_what_is_held_out_are_combinations_in_both_orders_with_both_questions():
    """Of 270 combinations 54 are of strangers, whom nobody has met in one sentence, and 43 of others."""

    def combinations(items):
        return {(frozenset((item[0], item[2])), item[1]) for item in items}

    learned, held_out = combinations(grammar.WHO_LEARNED), combinations(grammar.WHO_HELD_OUT)
    assert (len(learned), len(held_out), len(learned & held_out)) == (173, 97, 0)
    assert len(set(grammar.WHO_LEARNED)) == 4 * 173
    assert len(set(grammar.WHO_HELD_OUT)) == len(grammar.WHO_HELD_OUT) == 4 * 97
    strangers = {pair for pair, _verb in held_out} - {pair for pair, _verb in learned}
    assert len(strangers) == 9
    assert frozenset(("dog", "man")) in strangers
    assert sum(pair in strangers for pair, _verb in held_out) == 9 * 6
    # Every noun is learned in both places, with every verb, so that only the combination is new.
    for place in (0, 2):
        said = {(item[place], item[1]) for item in grammar.WHO_LEARNED}
        assert said == {(noun, verb) for noun in grammar.WHO_NOUNS for verb in grammar.WHO_VERBS}


def test_both_orders_of_the_first_pages_sentence_are_sentences():
    shapes = {tuple(map(grammar.CLASS_OF.get, sentence)) for sentence in sentences(3000, 2)}
    for text in ("the cat sat on the mat .", "on the mat the cat sat .", "dog bites man .", "man bites dog ."):
        assert tuple(map(grammar.CLASS_OF.get, text.split())) in shapes
