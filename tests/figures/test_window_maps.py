"""The figures of windows and sinks on the page "Attention": Plotly knows every name, and the cells are the numbers."""

import numpy as np
import pytest

from embedviz.figures.schemes.window_maps import sink_maps, window_maps

NAN = np.float32("nan")


def lower(size: int) -> np.ndarray:
    return np.where(np.tri(size, dtype=bool), np.float32(1 / size), NAN)


@pytest.mark.parametrize(("size", "with_weights", "with_layers"), [(1, 1, 1), (10, 1, 1), (16, 0, 1), (64, 0, 0)])
def test_numbers_stand_in_cells_that_have_room(size, with_weights, with_layers):
    needed = np.where(np.tri(size, dtype=bool), np.subtract.outer(np.arange(size), np.arange(size)), -1)
    figure = window_maps(lower(size), needed, 3, list(range(size)), ["<b>"] * size)
    figure.to_plotly()
    weights, reached, far = figure.data
    assert [bool(each["texttemplate"]) for each in figure.data] == [with_weights, with_layers, with_layers]
    assert np.array_equal(np.isfinite(reached["z"]) | np.isfinite(far["z"]), np.tri(size, dtype=bool))
    assert not (np.isfinite(reached["z"]) & np.isfinite(far["z"])).any()
    assert not any("<b>" in name for name in weights["x"])


def test_what_never_arrives_is_empty():
    figure = window_maps(lower(2), np.array([[0, -1], [-1, 0]]), 12, [1, 2], ["a", "b"])
    assert np.isnan(figure.data[1]["z"][1, 0])
    assert np.isnan(figure.data[2]["z"]).all()


@pytest.mark.parametrize("size", [1, 3, 64])
def test_sums_stand_beside_the_tokens(size):
    sums = np.linspace(0.2, 0.9, size).astype(np.float32)
    figure = sink_maps((lower(size),) * 3, sums, list(range(size)), ["a"] * size)
    figure.to_plotly()
    drawn = figure.data[2]
    assert np.array_equal(drawn["z"][:, size], sums)
    np.testing.assert_allclose(drawn["z"][:, size:].sum(axis=1), 1, atol=1e-6)
    assert list(drawn["x"][size:]) == figure.layout["xaxis3"]["ticktext"][-2:] == ["sum", "sink"]
    assert [panel["width"] for panel in figure.layout["meta"]["panels"]] == [size, size, size + 2]
    assert figure.layout["meta"]["once"] == ["y"]
