"""The figure of windows on the page "Attention": Plotly knows every name, and the cells are the numbers."""

import numpy as np
import pytest

from embedviz.figures.schemes.window_maps import window_maps
from tests.figures.drawn import to_plotly

NAN = np.float32("nan")


def lower(size: int) -> np.ndarray:
    return np.where(np.tri(size, dtype=bool), np.float32(1 / size), NAN)


@pytest.mark.parametrize(("size", "with_weights", "with_layers"), [(1, 1, 1), (10, 1, 1), (16, 0, 1), (64, 0, 0)])
def test_numbers_stand_in_cells_that_have_room(size, with_weights, with_layers):
    needed = np.where(np.tri(size, dtype=bool), np.subtract.outer(np.arange(size), np.arange(size)), -1)
    figure = window_maps(lower(size), needed, 3, list(range(size)), ["<b>"] * size)
    to_plotly(figure)
    weights, reached, far = figure.data
    assert [bool(each["texttemplate"]) for each in figure.data] == [with_weights, with_layers, with_layers]
    assert np.array_equal(np.isfinite(reached["z"]) | np.isfinite(far["z"]), np.tri(size, dtype=bool))
    assert not (np.isfinite(reached["z"]) & np.isfinite(far["z"])).any()
    assert not any("<b>" in name for name in weights["x"])


def test_what_never_arrives_is_empty():
    figure = window_maps(lower(2), np.array([[0, -1], [-1, 0]]), 12, [1, 2], ["a", "b"])
    assert np.isnan(figure.data[1]["z"][1, 0])
    assert np.isnan(figure.data[2]["z"]).all()
