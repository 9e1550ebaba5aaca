"""Where tokens stand after each change, and which two are exchanged."""

import pytest

from embedviz.layers.positions import exchanged
from embedviz.ui.inputs.model_runs import placement_of

# The positions in whole numbers, None for as they come; and how much of them is left.
WHERE = {"on": (None, 1), "off": (None, 0), "shifted": ((5, 6, 7, 8), 1), "swapped": ((0, 3, 2, 1), 1)}


@pytest.mark.parametrize("change", WHERE)
def test_each_change(change):
    found = placement_of(change, 4, 5, (1, 3))
    assert (found.whole(4), found.scale) == WHERE[change]


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
