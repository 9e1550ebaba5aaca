"""The grammar makes the sentences that it says, and every word has one class."""

import random
from itertools import pairwise

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


def test_both_orders_of_the_first_pages_sentence_are_sentences():
    shapes = {tuple(map(grammar.CLASS_OF.get, sentence)) for sentence in sentences(3000, 2)}
    for text in ("the cat sat on the mat .", "on the mat the cat sat .", "dog bites man .", "man bites dog ."):
        assert tuple(map(grammar.CLASS_OF.get, text.split())) in shapes
