"""The figures of RoPE's frequencies and of turned dimensions: Plotly knows every name, and texts keep apart."""

import numpy as np
import pytest

from embedviz.figures.curves import Line
from embedviz.figures.schemes.dimension_strips import DimensionStrip, dimension_strips
from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_charts

NAN = float("nan")


def chart(*lines: PairLine, level: float = 10, bands: tuple[Band, ...] = ()) -> PairChart:
    return PairChart("title", "legend", "positions", lines, level, "a level", bands)


def line(*values: float, **more: object) -> PairLine:
    return PairLine("line", np.array(values, np.float32), **more)


@pytest.mark.parametrize("n", [1, 2])
def test_charts_with_all_their_parts(n):
    parts = chart(
        line(1, 10, 1000), line(NAN, 5, 2000, dots=True, colours=["var(--ink)"] * 3), bands=(Band("kept", 0, 2, "red"),)
    )
    figure = pair_charts([parts] * n)
    assert len(figure.to_plotly().data) == 2 * n
    said = [note["text"] for note in figure.layout["annotations"]]
    assert (said.count("title: legend"), said.count("kept")) == (n, n)


def test_names_stand_at_the_ends_of_their_curves():
    layout = pair_charts([chart(*(line(1, 1000 * 10**n, end=f"base {n}") for n in range(4)))]).layout
    notes = [layout["annotations"][n] for n in layout["meta"]["roles"]["end"]]
    ends = [(note["text"], note["y"]) for note in notes]
    assert ends == [(f"base {n}", pytest.approx(3 + n)) for n in range(4)]


@pytest.mark.parametrize(("values", "side", "edge"), [((1, 20), "left", "bottom"), ((5, 900), "right", "top")])
def test_the_level_is_named_where_the_first_curve_is_far_away(values, side, edge):
    (note,) = (n for n in pair_charts([chart(line(*values))]).layout["annotations"] if n["text"] == "a level")
    assert (note["xanchor"], note["yanchor"]) == (side, edge)


def test_strips_end_where_the_head_does():
    strips = [DimensionStrip("small", np.array([True, False]), True), DimensionStrip("large", np.ones(4, bool), False)]
    figure = dimension_strips(strips, [Line(name, np.zeros(3, np.float32), "red") for name in ("a", "b", "sum")])
    assert len(figure.to_plotly().data) == 4
    np.testing.assert_array_equal(figure.data[0]["z"], [[1, 0, NAN, NAN], [1, 1, 1, 1]])
    assert figure.layout["yaxis"]["ticktext"] == ["<b>small</b>", "large"]
