"""The strips of layers: every layer has its cell, high if it sees the whole text and low if it sees a window."""

import numpy as np
import pytest

from embedviz.figures.schemes.layer_strips import Cell, Strip, layer_strips

WORDS = {
    "add": "added", "rotate": "turned", "bias": "biased", "none": "nothing", "state": "linear",
    "chunk": "{kind} in chunks", "sinks": "dots",
}  # fmt: skip
STRIPS = [
    Strip("one", [Cell(1, "add", 0, "first"), Cell(2, "bias", 0, "second")], "2 layers", "2"),
    Strip(
        "two",
        [Cell(1, "rotate", 128, "a", sinks=True), Cell(2, "rotate", 8192, "b", in_chunks=True), Cell(3, "none", 0, "c"),
         Cell(4, "state", 0, "d")],
        "4 layers; low: 128, 8,192 tokens",
        "low: 128, 8,192",
    ),
]  # fmt: skip


def test_every_layer_has_a_cell_of_its_colour_at_its_place():
    figure = layer_strips(STRIPS, WORDS)
    assert len(figure.to_plotly().data) == 8
    *named, told = figure.data
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
    assert "pattern" in drawn["turned in chunks"]["marker"]
    assert "pattern" not in drawn["turned"]["marker"]
    assert drawn["dots"]["x"].tolist() == [1]


def test_what_sees_a_window_is_low_however_large_the_window_is_and_widths_are_all_the_same():
    figure = layer_strips(STRIPS, WORDS)
    bars = [trace for trace in figure.data if trace["type"] == "bar"]
    widths = np.concatenate([trace["width"] for trace in bars])
    assert len(widths) == sum(len(strip.cells) for strip in STRIPS)
    assert set(widths.tolist()) == {np.float32(0.86)}  # less than 1, so that cells do not touch
    high = {trace["name"]: float(trace["y"][0]) for trace in bars}
    assert high["turned"] == high["turned in chunks"] < high["added"] / 3
    assert high["added"] == high["biased"] == high["nothing"] == high["linear"]
    assert max(np.concatenate([trace["y"] for trace in bars])) < 1  # strips do not touch


def test_the_marked_strip_is_bold_and_words_stand_behind_each_or_numbers_where_there_is_little_room():
    layout = layer_strips(STRIPS, WORDS, marked="two").layout
    assert layout["yaxis"]["ticktext"] == ["one", "<b>two</b>"]
    ends = {str(n): layout["annotations"][n] for n in layout["meta"]["roles"]["end"]}
    assert [note["text"] for note in ends.values()] == [strip.told for strip in STRIPS]
    assert layout["yaxis"]["tickvals"] == [note["y"] for note in ends.values()] == [1, 0]
    assert layout["meta"]["shorts"] == dict(zip(ends, ("2", "low: 128, 8,192"), strict=True))
