"""The figures of the page "Relative": Plotly knows every name, and the lines are the numbers."""

import numpy as np
import pytest

from embedviz.figures.curves import ZERO, Chart, Line, distance_charts, shift_chart
from embedviz.figures.schemes.reach_strips import strips
from embedviz.figures.schemes.score_grid import ScorePanel, score_grid

NAN = float("nan")


def matrix(value: float, size: int = 3) -> np.ndarray:
    return np.full((size, size), value, np.float32)


@pytest.mark.parametrize("size", [1, 3, 64])
def test_a_grid_on_one_scale(size):
    values = [1, -9, 2, NAN, 0, 1, 1, 1, 1]
    panels = [ScorePanel(f"scheme {n}", "score", matrix(value, size)) for n, value in enumerate(values)]
    figure = score_grid(panels, list(range(size)), ["<b>"] * size)
    assert len(figure.to_plotly().data) == 9
    assert figure.layout["coloraxis"]["cmax"] == -figure.layout["coloraxis"]["cmin"] == 2
    ended = [note for note in figure.layout["annotations"] if note["text"] == "the table ended"]
    assert len(ended) == 1
    assert not any("<b>" in name for name in figure.data[0]["x"])
    assert len([name for name in figure.layout if name.startswith("xaxis")]) == 9


@pytest.mark.parametrize("values", [[0, 0], [NAN, NAN]])
def test_a_grid_without_a_number_has_a_scale(values):
    figure = score_grid([ScorePanel("x", "y", matrix(value)) for value in values], [1, 2, 3], ["a", "b", "c"])
    assert figure.layout["coloraxis"]["cmax"] == 1


def test_a_shift_of_zero_has_its_own_place():
    lines = [
        Line("moves", np.array([3, NAN], np.float32), "var(--token-0)"),
        Line("stays", np.array([0, 1e-7], np.float32), "var(--ink)"),
        Line("ended", np.array([NAN, NAN], np.float32), "var(--ink)"),
    ]
    figure = shift_chart((1, 2), lines)
    assert len(figure.to_plotly().data) == 3
    moves, stays, _ = figure.data
    assert moves["y"][0] == 3
    assert np.isnan(moves["y"][1])
    assert stays["y"].tolist() == [np.float32(ZERO), np.float32(1e-7)]
    assert stays["customdata"].tolist() == [0, np.float32(1e-7)]
    ends = [figure.layout["annotations"][n] for n in figure.layout["meta"]["roles"]["end"]]
    assert [(note["text"], note["y"]) for note in ends] == [
        ("● moves", pytest.approx(np.log10(3))), ("■ stays", pytest.approx(-7)), ("◆ ended", pytest.approx(-9))
    ]  # fmt: skip


def test_four_charts():
    steps = np.arange(-2, 3)
    charts = [Chart("t", [Line("l", steps, "var(--ink)"), Line("m", -steps, "var(--ink)")], "axis")] * 4
    figure = distance_charts(steps, charts)
    assert len(figure.to_plotly().data) == 8
    assert all(trace["x"].tolist() == steps.tolist() for trace in figure.data)


def test_every_state_has_its_own_colour():
    """As Plotly colours a number: by its share of the way from zmin to zmax, on the scale."""
    (trace,) = strips(["a"], np.arange(6)[None], ["seen", "again", "new", "never", "error", "untold"], 5).data
    shares = [(state - trace["zmin"]) / (trace["zmax"] - trace["zmin"]) for state in range(6)]
    ends = [share for share, _ in trace["colorscale"][1::2]]
    colours = [colour for _, colour in trace["colorscale"][::2]]
    assert [colours[np.searchsorted(ends, share)] for share in shares] == colours
    assert len(set(colours)) == 6


@pytest.mark.parametrize("trained", [1, 4, 10, 99])
def test_strips_name_long_stretches(trained):
    states = np.array([[0, 0, 0, 0, 1, 1, 4, 4, 4, 4]] * 2, np.uint8)
    figure = strips(["a", "b"], states, ["seen", "again", "new", "never", "error"], trained)
    assert figure.to_plotly().data[0].z.shape == (2, 10)
    said = [(note["text"], note["x"]) for note in figure.layout["annotations"] if note.get("y") == 0]
    seen = [("seen", 0), ("seen", 2)] if trained == 1 else [("seen", 1.5)]  # the line where training ended cuts it
    assert said == [*seen, ("again", 4.5), ("error", 7.5)]
    ends = [note["text"] for note in figure.layout["annotations"] if note["text"].startswith("trained on")]
    assert ends == ([f"trained on {trained} tokens"] if trained < 10 else [])
