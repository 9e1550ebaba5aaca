"""The figures of RoPE's frequencies and of turned dimensions: Plotly knows every name, and texts keep apart."""

import numpy as np
import pytest

from embedviz.figures.figure import figure
from embedviz.figures.schemes.dimension_strips import dimension_strips
from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_panel
from tests.figures.drawn import to_plotly

NAN = float("nan")


def chart(*lines: PairLine, level: float = 10, band: Band | None = None) -> PairChart:
    return PairChart("title: legend", "positions", lines, level, "a level", band)


def line(*values: float, **more: object) -> PairLine:
    return PairLine("line", np.array(values, np.float32), **more)


@pytest.mark.parametrize("n", [1, 2])
def test_charts_with_all_their_parts(n):
    lines = line(1, 10, 1000), line(NAN, 5, 2000, colours=["var(--ink)"] * 3)
    parts = chart(*lines, band=Band("kept", 0, 2, "red"))
    drawn = figure([pair_panel(parts)] * n)
    assert len(to_plotly(drawn).data) == 2 * n
    said = [note["text"] for note in drawn.layout["annotations"]]
    assert (said.count("title: legend"), said.count("kept")) == (n, n)


@pytest.mark.parametrize(("values", "side", "edge"), [((1, 20), "left", "bottom"), ((5, 900), "right", "top")])
def test_the_level_is_named_where_the_first_curve_is_far_away(values, side, edge):
    (note,) = (n for n in pair_panel(chart(line(*values))).notes if n["text"] == "a level")
    assert (note["xanchor"], note["yanchor"]) == (side, edge)


def test_ticks_are_written_out_as_far_as_they_are_read_at_a_glance():
    ticks = pair_panel(chart(line(0.09, 11_000))).y
    assert dict(zip(ticks["tickvals"], ticks["ticktext"], strict=True)) == {
        0.1: "0.1", 1: "1", 10: "10", 100: "100", 1000: "1,000", 10_000: "10,000",
    }  # fmt: skip
    far = pair_panel(chart(line(1e-5, 1e6))).y["ticktext"]
    assert (far[0], far[-1]) == ("10⁻⁵", "10⁵")


def test_strips_end_where_the_head_does():
    drawn = dimension_strips({"small": np.array([True, False]), "large": np.ones(4, bool)})
    assert len(to_plotly(drawn).data) == 1
    np.testing.assert_array_equal(drawn.data[0]["z"], [[1, 0, NAN, NAN], [1, 1, 1, 1]])
    assert drawn.layout["yaxis"]["tickvals"] == ["small", "large"]
