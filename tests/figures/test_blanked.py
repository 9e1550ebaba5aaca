"""What a question hides is not in the figure that it shows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embedviz.figures.figure import Figure, blanked
from embedviz.figures.heatmaps import batch_heatmaps

VECTORS = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
SUMS = 2  # the last of the three panels


def drawn() -> Figure:
    batch = VECTORS.reshape(2, 2, 3)
    return batch_heatmaps(batch, VECTORS[:2], batch, (["a", "b"], ["c", "d"]))


def marks(layout: dict) -> int:
    return [each["text"] for each in layout["annotations"]].count("?")


@given(rows=st.lists(st.booleans(), min_size=4, max_size=4).filter(lambda rows: not all(rows)))
def test_only_the_rows_that_are_named_are_gone_and_each_has_a_question_mark(rows):
    which = np.array(rows)
    shown, whole = blanked(drawn(), SUMS, which), drawn()
    assert np.isnan(shown.data[SUMS]["z"][which]).all()
    assert np.array_equal(shown.data[SUMS]["z"][~which], whole.data[SUMS]["z"][~which], equal_nan=True)
    assert np.array_equal(shown.data[0]["z"], whole.data[0]["z"], equal_nan=True)
    assert marks(shown.layout) == which.sum()
    shown.to_plotly()


def test_a_panel_that_is_hidden_whole_has_one_mark_and_another_name():
    whole = drawn()
    shown = blanked(whole, SUMS, title="hidden")
    assert np.isnan(shown.data[SUMS]["z"]).all()
    assert shown.data[SUMS]["name"] == shown.layout["annotations"][SUMS]["text"] == "hidden"
    assert marks(shown.layout) == 1
    assert str(SUMS) not in shown.layout["meta"]["shorts"]  # which would say what is hidden
    assert np.isfinite(whole.data[SUMS]["z"]).all()  # the figure that it was made from is as it was
