"""Bars of a test of positions: as high as what was measured, above what is declared; 0 only where no bit changes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embedviz.figures import theme
from embedviz.figures.model.position_test import Measured, change_in_print, position_test
from tests.figures.drawn import to_plotly

DECLARED = {"add": "added", "rotate": "RoPE", "none": "nothing"}


def measured(apart: list[float], moved: list[float], kinds: list[str], **more: float) -> Measured:
    names = [str(n) for n in range(1, len(kinds) + 1)]
    return Measured("changes", names, kinds, np.array(apart, np.float32), np.array(moved, np.float32), **more)


def bars(figure) -> list[dict]:
    return [trace for trace in figure.data if trace["type"] == "bar"]


def test_bars_stand_for_what_was_measured_and_say_it():
    figure = position_test([measured([0.25, 0], [1e-6, 0], ["rotate", "none"], least=1)], DECLARED)
    to_plotly(figure)
    apart, moved = bars(figure)
    np.testing.assert_allclose(apart["y"], [0.25, 0])
    assert (list(apart["text"]), list(moved["text"])) == (["0.25", "0"], ["≈ 0", "0"])
    assert (apart["x"] < [0, 1]).all()
    assert (moved["x"] > [0, 1]).all()
    assert figure.layout["yaxis"]["tickvals"] == [0, 0.5, 1]


def test_squares_say_what_is_declared_of_each_column():
    kinds = ["none", "rotate", "none"]
    figure = position_test([measured([0] * 3, [0] * 3, kinds), measured([0], [0], ["rotate"])], DECLARED)
    squares = [trace for trace in figure.data if trace["type"] == "scatter"]
    found = {(trace["name"], trace["marker"]["color"]): trace["x"].tolist() for trace in squares[:2]}
    assert found == {("RoPE", theme.KIND_COLOURS["rotate"]): [1], ("nothing", theme.KIND_COLOURS["none"]): [0, 2]}
    named = [trace["name"] for trace in figure.data if trace["showlegend"]]
    assert len(named) == len({*named}) == 2
    below = [figure.layout[axis]["title"]["text"] for axis in ("xaxis", "xaxis2")]
    assert ["RoPE" in text for text in below] == [True, True]
    assert ["nothing" in text for text in below] == [True, False]


@given(st.lists(st.floats(0, 50, width=32), min_size=1, max_size=40))
def test_no_bar_is_higher_than_its_axis(changes):
    figure = position_test([measured(changes, changes, ["rotate"] * len(changes))], DECLARED)
    assert max(changes) <= figure.layout["yaxis"]["tickvals"][-1]
    assert len(figure.layout["xaxis"]["ticktext"]) == len(figure.layout["xaxis"]["tickvals"]) <= 13


@given(st.floats(0, 1))
def test_only_no_change_is_0(change):
    assert (change_in_print(change) == "0") == (change == 0)
