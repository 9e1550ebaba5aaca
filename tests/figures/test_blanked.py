"""What a question hides is not in the figure that it shows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.figures.heatmaps import sum_heatmaps
from embedviz.figures.theme import Figure, blanked

VECTORS = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
SUMS = 2  # the last of the three panels
LAYOUTS = {"wide": lambda layout: layout, "narrow": lambda layout: layout["meta"]["narrow"]}


def drawn() -> Figure:
    return sum_heatmaps([VECTORS[:2]] * 3, [VECTORS[2:]] * 3, ([5, 6], [7, 8]), (["a", "b"], ["c", "d"]))


def marks(layout: dict) -> int:
    return [each["text"] for each in layout["annotations"]].count("?")


@pytest.mark.parametrize("place", LAYOUTS.values(), ids=LAYOUTS)
@given(rows=st.lists(st.booleans(), min_size=5, max_size=5).filter(lambda rows: not all(rows)))
def test_only_the_rows_that_are_named_are_gone_and_each_has_a_question_mark(place, rows):
    which = np.array(rows)
    shown, whole = blanked(drawn(), SUMS, which), drawn()
    assert np.isnan(shown.data[SUMS]["z"][which]).all()
    assert np.array_equal(shown.data[SUMS]["z"][~which], whole.data[SUMS]["z"][~which], equal_nan=True)
    assert np.array_equal(shown.data[0]["z"], whole.data[0]["z"], equal_nan=True)
    assert marks(place(shown.layout)) == which.sum()
    shown.to_plotly()


@pytest.mark.parametrize("place", LAYOUTS.values(), ids=LAYOUTS)
def test_a_panel_that_is_hidden_whole_has_one_mark_and_another_name(place):
    whole = drawn()
    shown = blanked(whole, SUMS, title="hidden")
    assert np.isnan(shown.data[SUMS]["z"]).all()
    assert shown.data[SUMS]["name"] == place(shown.layout)["annotations"][SUMS]["text"] == "hidden"
    assert marks(place(shown.layout)) == 1
    assert np.isfinite(whole.data[SUMS]["z"][[0, 1, 3, 4]]).all()  # the figure that it was made from is as it was
