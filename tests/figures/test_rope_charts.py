"""The figure of RoPE's frequencies: Plotly knows every name, and texts keep apart."""

import numpy as np
import pytest

from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_chart
from tests.figures.drawn import to_plotly

NAN = float("nan")


def chart(*lines: PairLine, level: float = 10, band: Band | None = None) -> PairChart:
    return PairChart("positions", lines, level, "a level", band)


def line(*values: float, **more: object) -> PairLine:
    return PairLine("line", np.array(values, np.float32), **more)


def test_a_chart_with_all_its_parts():
    lines = line(1, 10, 1000), line(NAN, 5, 2000, colours=["var(--ink)"] * 3)
    drawn = pair_chart(chart(*lines, band=Band("kept", 0, 2, "red")))
    assert len(to_plotly(drawn).data) == 2
    assert [note["text"] for note in drawn.layout["annotations"]] == ["kept", "a level", "line", "line"]


def test_a_line_has_its_name_behind_its_last_number():
    whole, part = line(1, 10, 1000), line(1, 100, NAN, colours=["var(--ink)"] * 3)
    layout = pair_chart(chart(whole, part)).layout
    notes = [layout["annotations"][n] for n in layout["meta"]["roles"]["end"]]
    places = [(note["x"], note["y"], note["yanchor"]) for note in notes]
    assert places == [(2, pytest.approx(3), "middle"), (1, pytest.approx(2), "bottom")]
    assert [note["font"]["color"] for note in notes] == ["var(--faint)", "var(--ink)"]
    nothing = line(NAN, NAN, NAN, colours=["var(--ink)"] * 3)
    assert len(pair_chart(chart(whole, nothing)).layout["meta"]["roles"]["end"]) == 1


@pytest.mark.parametrize(("values", "side", "edge"), [((1, 20), "left", "bottom"), ((5, 900), "right", "top")])
def test_the_level_is_named_where_the_first_curve_is_far_away(values, side, edge):
    (note,) = (n for n in pair_chart(chart(line(*values))).layout["annotations"] if n["text"] == "a level")
    assert (note["xanchor"], note["yanchor"]) == (side, edge)


def test_ticks_are_written_out_as_far_as_they_are_read_at_a_glance():
    ticks = pair_chart(chart(line(0.09, 11_000))).layout["yaxis"]
    assert dict(zip(ticks["tickvals"], ticks["ticktext"], strict=True)) == {
        0.1: "0.1", 1: "1", 10: "10", 100: "100", 1000: "1,000", 10_000: "10,000",
    }  # fmt: skip
    far = pair_chart(chart(line(1e-5, 1e6))).layout["yaxis"]["ticktext"]
    assert (far[0], far[-1]) == ("10⁻⁵", "10⁵")
