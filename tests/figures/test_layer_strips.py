"""The strips of layers: every layer has its cell, high if it sees the whole text and low if it sees a window."""

import numpy as np
import pytest

from embedviz.figures.schemes.layer_strips import Cell, Strip, layer_strips
from tests.figures.drawn import to_plotly

WORDS = {
    "add": "added", "rotate": "turned", "bias": "biased", "relative": "far", "none": "nothing", "state": "linear",
    "chunk": "{kind} in chunks", "sinks": "dots", "part": "pale",
}  # fmt: skip
STRIPS = [
    Strip("one", [Cell(1, "add", 1, "first"), Cell(2, "bias", 1, "second")], "2 layers"),
    Strip(
        "two",
        [Cell(1, "rotate", 0.001, "a", sinks=True), Cell(2, "rotate", 0.5, "b", in_chunks=True),
         Cell(3, "none", 1, "c"), Cell(4, "state", 1, "d")],
        "4 layers; sees 128, 65,536 of 131,072",
    ),
]  # fmt: skip


def test_every_layer_has_a_cell_of_its_colour_at_its_place():
    figure = layer_strips(STRIPS, WORDS)
    assert len(to_plotly(figure).data) == 9
    pale, *named, told = figure.data
    assert pale["x"].tolist() == [1, 2]  # the layers that do not see the whole text
    assert pale["name"] == "pale"
    assert pale["legendrank"] > 1000  # those of all others
    drawn = {trace["name"]: trace for trace in named}
    assert list(drawn) == ["added", "turned", "turned in chunks", "biased", "nothing", "linear", "dots"]
    places = {name: (trace["x"].tolist(), trace["base"].tolist()) for name, trace in list(drawn.items())[:6]}
    assert places["added"] == ([1], [pytest.approx(0.59)])
    assert places["biased"] == ([2], [pytest.approx(0.59)])
    assert places["turned"] == ([1], [pytest.approx(-0.41)])
    assert places["linear"] == ([4], [pytest.approx(-0.41)])
    cells = zip(told["x"].tolist(), told["y"].tolist(), told["text"], strict=True)
    assert list(cells) == [(1, 1, "first"), (2, 1, "second"), (1, 0, "a"), (2, 0, "b"), (3, 0, "c"), (4, 0, "d")]
    colours = [trace["marker"]["color"] for trace in named[:-1]]
    assert colours[1] == colours[2]
    assert len(set(colours)) == 5
    shapes = [drawn[name]["marker"]["pattern"]["shape"] for name in ("turned in chunks", "linear")]
    assert shapes == ["/", "-"]  # a state is neither seen nor hidden
    assert "pattern" not in drawn["turned"]["marker"]
    assert drawn["dots"]["x"].tolist() == [1]


def test_a_cell_is_solid_as_far_as_a_token_sees_true_to_scale_and_widths_are_all_the_same():
    """128 of 131,072 tokens are a thousandth of the text, and so high is what stands for them."""
    figure = layer_strips(STRIPS, WORDS)
    pale, *bars = [trace for trace in figure.data if trace["type"] == "bar"]
    widths = np.concatenate([trace["width"] for trace in (pale, *bars)])
    assert set(widths.tolist()) == {np.float32(0.86)}  # less than 1, so that cells do not touch
    high = {trace["name"]: float(trace["y"][0]) for trace in bars}
    whole = high["added"]
    assert whole == high["biased"] == high["nothing"] == pytest.approx(pale["y"].max())
    assert high["turned"] == pytest.approx(0.001 * whole)
    assert high["turned in chunks"] == pytest.approx(0.5 * whole)
    assert whole < 1  # strips do not touch


def test_the_legend_has_no_word_for_pale_cells_if_there_are_none():
    assert [trace["name"] for trace in layer_strips(STRIPS[:1], WORDS).data[:-1]] == ["added", "biased"]


def test_words_stand_behind_each_strip_and_none_where_there_is_little_room():
    layout = layer_strips(STRIPS, WORDS).layout
    assert layout["yaxis"]["ticktext"] == ["one", "two"]
    ends = {str(n): layout["annotations"][n] for n in layout["meta"]["roles"]["end"]}
    assert [note["text"] for note in ends.values()] == [strip.caption for strip in STRIPS]
    assert all(note["font"]["size"] >= 12 for note in ends.values())
    assert layout["yaxis"]["tickvals"] == [note["y"] for note in ends.values()] == [1, 0]
    assert layout["meta"]["shorts"] == dict.fromkeys(ends, "")


def test_a_line_with_counts_parts_models_of_one_kind_of_layer_from_those_that_mix():
    figure = layer_strips([STRIPS[0], *STRIPS], WORDS, n_alike=2)
    to_plotly(figure)
    layout = figure.layout
    above, middle, below = layout["yaxis"]["tickvals"]
    assert above - middle == 1 < middle - below  # words stand between the groups
    [line] = layout["shapes"]
    at = line["y0"]
    assert (line["y1"], line["xref"]) == (at, "x domain")
    assert middle - at == pytest.approx(at - below)
    counts = [(note["text"], note["y"], note["yanchor"]) for note in layout["annotations"] if ":" in note["text"]]
    assert counts == [("2: one kind", at, "bottom"), ("1: mixed", at, "top")]
    for n_alike in (0, len(STRIPS)):
        assert layer_strips(STRIPS, WORDS, n_alike=n_alike).layout["shapes"] == []
