"""Where a head looks: the cells of each place, and its mean weight there, by plain loops."""

import numpy as np
import pytest

from embedviz.layers.head_patterns import PLACES, Picked, cells, even, shares, strongest_sink, visible_weights
from embedviz.text.tokens import Tokens


def seen_from(place: str, i: int, n: int) -> int:
    """Where token i of n looks if it looks at a place."""
    return {"first": 0, "last": n - 1}[place] if place in ("first", "last") else i + int(place)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_place_has_one_cell_in_each_row_that_has_such_a_token(place, n):
    ends = {"first": 0, "last": n - 1}
    expected = [
        [j == seen_from(place, i, n) and not (place in ends and i == ends[place]) for j in range(n)] for i in range(n)
    ]
    assert cells(place, n).tolist() == expected


@pytest.mark.parametrize("place", PLACES)
def test_the_share_is_the_mean_over_the_rows_of_all_sentences(place):
    attentions = [np.random.default_rng(n).dirichlet(np.ones(n), (2, 3, n)).astype(np.float32) for n in (3, 5)]
    rows = [
        each[1, 2, i, seen_from(place, i, len(each[1, 2]))]
        for each in attentions
        for i in range(len(each[1, 2]))
        if cells(place, len(each[1, 2]))[i].any()
    ]
    assert shares(attentions, place)[1, 2] == pytest.approx(np.mean(rows), rel=1e-5)


def test_one_token_has_no_token_before_it():
    assert shares([np.ones((1, 2, 1, 1), np.float32)], "-1").tolist() == [[0, 0]]


def test_a_head_that_sees_all_alike():
    assert np.array_equal(even(4, is_causal=False)[0, 0], np.full((4, 4), 0.25, np.float32))
    np.testing.assert_allclose(even(3, is_causal=True)[0, 0], [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3] * 3])


def leaning(column: int, weight: float) -> np.ndarray:
    found = np.full((3, 3), (1 - weight) / 2)
    found[:, column] = weight
    return found


@pytest.mark.parametrize(
    ("heads", "special", "is_causal", "found"),
    [
        ([(0, 0.6), (0, 0.9), (1, 0.9)], True, False, Picked(0, 1, "first", 2)),
        ([(2, 0.8), (1, 0.9)], True, False, Picked(0, 0, "last", 1)),
        ([(0, 0.5), (1, 0.9)], True, False, None),
        ([(0, 0.9)], False, False, None),  # a word that all look at is no sink
        ([(0, 0.9)], False, True, Picked(0, 0, "first", 1)),
        ([(2, 0.9)], False, True, None),
    ],
)
def test_a_sink_is_a_token_of_no_meaning_with_more_than_half_of_the_weight(heads, special, is_causal, found):
    spans = [(0, 0), (0, 1), (1, 1)] if special else [(0, 1), (1, 2), (2, 3)]
    tokens = Tokens("ab", "x", [1, 2, 3], ["[CLS]", "a", "[SEP]"], spans, [False] * 3, 9)
    attentions = [np.array([[leaning(*each) for each in heads]], np.float32)] * 2
    assert strongest_sink(attentions, tokens, is_causal=is_causal) == found


@pytest.mark.parametrize("is_causal", [True, False])
def test_only_a_causal_mask_hides_later_tokens(is_causal):
    weights = np.random.default_rng(0).random((4, 4)).astype(np.float32)
    found = visible_weights(weights, is_causal=is_causal)
    for i, j in np.ndindex(4, 4):
        assert np.isnan(found[i, j]) if is_causal and j > i else found[i, j] == weights[i, j]
