"""What a question hides is not in the figure that it shows."""

import numpy as np

from embedviz.figures.figure import Figure, blanked
from embedviz.figures.heatmaps import batch_heatmaps

VECTORS = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
SUMS = 2  # the last of the three panels


def drawn() -> Figure:
    batch = VECTORS.reshape(2, 2, 3)
    return batch_heatmaps(batch, VECTORS[:2], batch, (["a", "b"], ["c", "d"]))


def marks(layout: dict) -> int:
    return [each["text"] for each in layout["annotations"]].count("?")


def test_a_panel_that_is_hidden_has_one_mark_and_none_of_its_numbers():
    whole = drawn()
    shown = blanked(whole, SUMS)
    assert np.isnan(shown.data[SUMS]["z"]).all()
    assert np.array_equal(shown.data[0]["z"], whole.data[0]["z"], equal_nan=True)
    assert marks(shown.layout) == 1
    assert marks(whole.layout) == 0
    assert np.isfinite(whole.data[SUMS]["z"]).all()  # the figure that it was made from is as it was
    shown.to_plotly()
