"""Which positions a model is given after each change, and which two are exchanged."""

import pytest

from embedviz.base.errors import EmbedvizError
from embedviz.layers.positions import changed, exchanged


@pytest.mark.parametrize(
    ("change", "expected"),
    [("trained", (0, 1, 2, 3)), ("off", (0, 0, 0, 0)), ("shifted", (5, 6, 7, 8)), ("swapped", (0, 3, 2, 1))],
)
def test_each_change(change, expected):
    assert changed(change, 4, 5, (1, 3)) == expected


def test_a_token_that_is_not_there_cannot_be_exchanged():
    with pytest.raises(EmbedvizError, match="swap"):
        changed("swapped", 3, swap=(0, 3))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([7, 1, 5, 1, 6, 8], [7, 1, 6, 1, 5, 8], (2, 4)),
        ([1, 2, 3], [1, 2, 3], (0, 2)),
        ([1, 2, 3], [1, 9, 3], (0, 2)),
        ([1, 2, 3, 4], [2, 3], (0, 1)),
        ([4], [4], (0, 0)),
    ],
)
def test_the_first_and_the_last_that_differ_are_exchanged(a, b, expected):
    assert exchanged(a, b) == expected
