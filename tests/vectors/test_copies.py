"""Which token is whose copy, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.positions import ADDING
from embedviz.vectors.copies import Copies

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"


def alone(found: Copies) -> tuple[list[int], list[int]]:
    """The positions of the tokens of A, and of those of B, that have no partner."""
    taken = [[pair[n] for pair in found.pairs] for n in (0, 1)]
    rows = zip(found.comparison.ids, taken, strict=True)
    return tuple([n for n in range(len(ids)) if n not in places] for ids, places in rows)


@pytest.fixture
def copies(compared):
    return lambda a, b, **spec: Copies(compared(a, b, **spec))


def test_the_first_copy_goes_with_the_first_and_the_second_with_the_second(copies):
    found = copies(CAT, MAT)
    assert found.pairs == [(0, 1), (1, 4), (2, 5), (3, 0), (4, 3), (5, 2)]
    assert alone(found) == ([], [])
    assert (found.n_tokens, found.n_before, found.n_after, found.in_place) == (6, 6, 0, [])


def test_the_same_token_at_the_same_position_stays(copies):
    found = copies("dog bites man", "man bites dog")
    assert (found.n_before, found.n_after, found.in_place) == (3, 1, [1])


def test_what_is_there_more_often_has_no_partner_but_an_identical_copy(copies):
    found = copies("the the cat hat", "cat the dog")
    assert found.pairs == [(0, 1), (2, 0)]
    assert alone(found) == ([1, 3], [2])
    assert (found.n_before, found.n_after, found.in_place) == (3, 1, [1])  # the second "the" is where B's is


@pytest.mark.parametrize(("a", "b"), [("", "cat"), ("cat", ""), ("", ""), ("dog", "cat")])
def test_without_a_shared_token_there_are_no_pairs(copies, a, b):
    found = copies(a, b)
    assert (found.pairs, found.n_before, found.n_after) == ([], 0, 0)
    assert alone(found) == ([0] if a else [], [0] if b else [])


def test_where_all_is_one_token_there_is_no_yardstick(copies):
    assert copies("cat", "cat cat").comparison.unrelated is None


@pytest.mark.parametrize("position", ["none", *ADDING])
def test_the_yardstick_is_that_of_a_plain_loop_at_any_share(copies, position):
    found = copies(CAT, "on the hat the dog sat", position=position, output_dim=16)
    c, yardstick = found.comparison, found.comparison.unrelated
    for share in (0, 0.3, 1):
        squares = [
            np.sum((_at(c.a, i, share) - _at(c.b, j, share)) ** 2)
            for i, one in enumerate(c.ids[0])
            for j, other in enumerate(c.ids[1])
            if one != other
        ]
        between = (
            yardstick.before**2 * (1 - share)
            + yardstick.after**2 * share
            - yardstick.positions**2 * share * (1 - share)
        )
        assert between**0.5 == pytest.approx(np.mean(squares) ** 0.5, rel=1e-6)


def _at(embedded, place: int, share: float) -> np.ndarray:
    token, position = embedded.token_embeddings[place], embedded.positional_embeddings[place]
    return token.astype(float) + share * position.astype(float)


def test_random_strangers_are_as_far_apart_as_theory_says(copies):
    """Rows of standard deviation 1 are √(2D) apart, and twice as many of them added √(4D)."""
    words = [f"w{n}" for n in range(40)]
    yardstick = copies(" ".join(words), " ".join(words[::-1]), tokenizer="words").comparison.unrelated
    assert yardstick.before == pytest.approx(512**0.5, rel=0.03)
    assert yardstick.after == pytest.approx(1024**0.5, rel=0.03)


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_pairs_and_those_without_one_are_all_tokens(compared, a, b):
    found = Copies(compared(" ".join(a), " ".join(b), tokenizer="words", output_dim=4))
    assert all(a[i] == b[j] for i, j in found.pairs)
    assert sorted([i for i, _j in found.pairs] + alone(found)[0]) == list(range(len(a)))
    assert sorted([j for _i, j in found.pairs] + alone(found)[1]) == list(range(len(b)))
    assert not {a[i] for i in alone(found)[0]} & {b[j] for j in alone(found)[1]}
    assert found.n_before == sum(token in b for token in a)
