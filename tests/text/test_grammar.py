"""The language makes the items that it says, one answer is right in each, and every word has one class."""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import pytest

from embedviz.text import grammar

# The language once more, written down here by hand.
NOUNS = ["cat", "mat", "dog", "man", "bird", "hat", "child", "box", "fox", "bed"]
RESTS, PLACES = ["sat", "stood", "lay", "slept"], ["on", "under", "behind"]
PARTICIPLES = {"bites": "bitten", "sees": "seen", "chases": "chased", "hears": "heard"}
WORDS = {*NOUNS, *RESTS, *PLACES, *PARTICIPLES, *PARTICIPLES.values(), "the", "who", "is", ",", "?", "."}
N_LEARNED = {"rest": 864, "fronted": 864, "active": 288, "passive": 288}  # 72 pairs
N_HELD_OUT = {"rest": 216, "fronted": 216, "active": 72, "passive": 72}  # 18 pairs
ALL = (*grammar.LEARNED, *grammar.HELD_OUT)

_RESTED = re.compile(r"the (?P<who>\w+) (?P<verb>\w+) (?:on|under|behind) the \w+")
_FRONTED = re.compile(r"(?:on|under|behind) the \w+ the (?P<who>\w+) (?P<verb>\w+)")
_ACTED = re.compile(r"the (?P<who>\w+) (?P<verb>\w+) the (?P<whom>\w+)")


def facts(said: str) -> dict[str, list[str]]:
    """What a sentence says: for each question that could follow, all nouns that answer it."""
    if found := _RESTED.fullmatch(said) or _FRONTED.fullmatch(said):
        return {f"who {found['verb']}": [found["who"]]}
    found = _ACTED.fullmatch(said)
    return {f"who {found['verb']}": [found["who"]], f"who is {PARTICIPLES[found['verb']]}": [found["whom"]]}


def nouns(item: Sequence[str]) -> list[str]:
    """The two nouns of which an item speaks, in their order."""
    return [word for word in item[: item.index(",")] if word in NOUNS]


def by_form(items: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """How many items have each form, by what only this form has."""

    def form(item: tuple[str, ...]) -> str:
        if item[0] in PLACES:
            return "fronted"
        return "passive" if "is" in item else "active" if item[2] in PARTICIPLES else "rest"

    return Counter(map(form, items))


def test_every_word_has_one_class_and_a_place_in_order():
    words = [word for members in grammar.CLASSES.values() for word in members]
    assert len(set(words)) == len(words) == len(grammar.VOCABULARY) == 31
    assert list(grammar.VOCABULARY) == sorted(words)
    assert set(words) == WORDS
    assert list(grammar.NOUNS) == NOUNS
    some = ("the", "mat", "slept", "behind", "hears", "heard", "who", "?")
    assert {word: grammar.CLASS_OF[word] for word in some} == {
        "the": "determiner", "mat": "noun", "slept": "verb-rest", "behind": "preposition", "hears": "verb-act",
        "heard": "participle", "who": "question", "?": "mark",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (("rest", "cat", "sat", "mat", "on"), "the cat sat on the mat , who sat ? cat ."),
        (("rest", "mat", "sat", "cat"), "the mat sat on the cat , who sat ? mat ."),
        (("fronted", "cat", "sat", "mat", "under"), "under the mat the cat sat , who sat ? cat ."),
        (("active", "dog", "bites", "man"), "the dog bites the man , who bites ? dog ."),
        (("passive", "dog", "sees", "man"), "the dog sees the man , who is seen ? man ."),
    ],
)
def test_an_item_says_what_happened_asks_and_answers(item, expected):
    assert " ".join(grammar.item(*item)) == expected
    assert tuple(expected.split()) in ALL


def test_so_many_items_of_each_form_are_learned_and_held_out():
    assert len(set(ALL)) == len(ALL) == 2304 + 576
    assert by_form(grammar.LEARNED) == N_LEARNED
    assert by_form(grammar.HELD_OUT) == N_HELD_OUT
    for form, n in N_HELD_OUT.items():
        assert by_form(grammar.items(form, grammar.STRANGERS)) == {form: n}


def test_all_that_the_language_can_say_is_learned_or_held_out():
    """Made here by plain loops: each verb about each two nouns, in each form."""
    expected = set()
    for n in NOUNS:
        for m in [noun for noun in NOUNS if noun != n]:
            for verb in RESTS:
                for place in PLACES:
                    expected |= {
                        f"the {n} {verb} {place} the {m} , who {verb} ? {n} .",
                        f"{place} the {m} the {n} {verb} , who {verb} ? {n} .",
                    }
            for verb, participle in PARTICIPLES.items():
                expected |= {
                    f"the {n} {verb} the {m} , who {verb} ? {n} .",
                    f"the {n} {verb} the {m} , who is {participle} ? {m} .",
                }
    assert {" ".join(item) for item in ALL} == expected


def test_each_question_has_one_right_answer():
    for item in ALL:
        said, asked = " ".join(item[: item.index(",")]), " ".join(item[item.index(",") + 1 : item.index("?")])
        assert [item[-2]] == facts(said)[asked]
        assert item[-1] == "."
        assert item.count("?") == item.count(".") == 1
        assert item.index("?") == len(item) - 3


def test_no_learned_item_has_neighbours_of_the_list_and_each_held_out_one_has():
    apart = [[abs(NOUNS.index(one) - NOUNS.index(other)) for one, other in map(nouns, items)]
             for items in (grammar.LEARNED, grammar.HELD_OUT)]  # fmt: skip
    assert set(apart[0]) == {*range(2, 10)}
    assert set(apart[1]) == {1}
    assert set(grammar.STRANGERS) == {pair for n in range(9) for pair in (
        (NOUNS[n], NOUNS[n + 1]), (NOUNS[n + 1], NOUNS[n]))}  # fmt: skip


def test_only_the_pair_is_new_in_what_is_held_out():
    """Every noun is learned in every place of every form, with every verb and preposition: all but the other noun."""

    def without_noun(items, which):
        return {tuple("" if word == nouns(item)[which] else word for word in item) for item in items}

    for which in (0, 1):
        assert without_noun(grammar.HELD_OUT, which) <= without_noun(grammar.LEARNED, which)
    assert {word for item in grammar.LEARNED for word in item} == WORDS


def test_every_item_fits_the_default_context():
    """A window is one word longer than the context, so that a whole item is in it; an active one has 11 words."""
    assert Counter(map(len, grammar.LEARNED)) == {12: 864 + 864 + 288, 11: 288}
    assert Counter(map(len, grammar.HELD_OUT)) == {12: 216 + 216 + 72, 11: 72}


def test_classes_stand_in_four_orders():
    shapes = Counter(" ".join(grammar.CLASS_OF[word] for word in item) for item in grammar.LEARNED)
    end = "mark question {} mark noun mark"
    assert shapes == {
        f"determiner noun verb-rest preposition determiner noun {end.format('verb-rest')}": 864,
        f"preposition determiner noun determiner noun verb-rest {end.format('verb-rest')}": 864,
        f"determiner noun verb-act determiner noun {end.format('verb-act')}": 288,
        f"determiner noun verb-act determiner noun {end.format('question participle')}": 288,
    }


def test_three_orders_of_the_same_words_have_two_meanings():
    """A multiset: "the" comes twice. The first and the third answer are the same, and the second is the other noun."""
    for n, m in [(n, m) for n in NOUNS for m in NOUNS if n != m]:
        for verb, place in [(verb, place) for verb in RESTS for place in PLACES]:
            a = grammar.item("rest", n, verb, m, place)
            b = grammar.item("rest", m, verb, n, place)
            c = grammar.item("fronted", n, verb, m, place)
            assert Counter(a[:-2]) == Counter(b[:-2]) == Counter(c[:-2])
            assert len({a[:-2], b[:-2], c[:-2]}) == 3
            assert a[-2] == c[-2] == n != b[-2] == m
            assert sum(a in items for items in (grammar.LEARNED, grammar.HELD_OUT)) == 1
            assert (a in grammar.HELD_OUT) == (b in grammar.HELD_OUT) == (c in grammar.HELD_OUT)


def surprise(items: Sequence[Sequence[str]], known: Callable[[Sequence[str]], Hashable]) -> float:
    """Nats an answer of whoever knows so much of the words before, and has counted what follows."""
    counted: dict[Hashable, Counter[str]] = {}
    for item in items:
        counted.setdefault(known(item[:-2]), Counter())[item[-2]] += 1
    total = sum(each.total() for each in counted.values())
    return -sum(n * math.log(n / each.total()) for each in counted.values() for n in each.values()) / total


@pytest.mark.parametrize("items", [grammar.LEARNED, grammar.HELD_OUT], ids=["learned", "held out"])
def test_without_the_order_the_answer_is_one_of_two(items):
    """And nothing else about it is unknown: which words there are, and how many of each, leaves the two nouns."""
    assert surprise(items, tuple) == 0
    assert surprise(items, lambda words: tuple(sorted(words))) == pytest.approx(math.log(2))
    assert surprise(items, lambda words: words[-1]) > 2.27  # one of ten, after the "?" alone


def test_both_orders_of_the_first_pages_sentence_are_held_out():
    held_out = {" ".join(item[: item.index(",")]) for item in grammar.HELD_OUT}
    assert {
        "the cat sat on the mat", "the mat sat on the cat", "on the mat the cat sat", "the dog bites the man",
        "the man bites the dog",
    } <= held_out  # fmt: skip
