"""The strips of layers: every layer has its cell, as wide as the others and as high as its window says."""

import numpy as np
import pytest

from embedviz.figures.schemes.layer_strips import Cell, Strip, height, layer_strips

WORDS = {
    "add": "added", "rotate": "turned", "bias": "biased", "none": "nothing", "state": "linear",
    "chunk": "{kind} in chunks", "sinks": "dots",
}  # fmt: skip
STRIPS = [
    Strip("one", [Cell(1, "add", 0, "first"), Cell(2, "bias", 0, "second")], "2 layers"),
    Strip(
        "two",
        [Cell(1, "rotate", 128, "a", sinks=True), Cell(2, "rotate", 8192, "b", in_chunks=True), Cell(3, "none", 0, "c"),
         Cell(4, "state", 0, "d")],
        "4 layers",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("window", "share"), [(0, 1), (2**17, 1), (2**20, 1), (128, 7 / 17), (1024, 10 / 17), (8192, 13 / 17)]
)
def test_a_cell_loses_a_seventeenth_with_every_halving(window, share):
    assert height(window) == pytest.approx(share)


def test_every_layer_has_a_cell_of_its_colour_at_its_place():
    figure = layer_strips(STRIPS, WORDS)
    assert len(figure.to_plotly().data) == 7
    drawn = {trace["name"]: trace for trace in figure.data}
    assert list(drawn) == ["added", "turned", "turned in chunks", "biased", "nothing", "linear", "dots"]
    places = {
        name: (trace["x"].tolist(), trace["base"].tolist(), trace["text"]) for name, trace in list(drawn.items())[:6]
    }
    assert places["added"] == ([1], [1], ["first"])
    assert places["biased"] == ([2], [1], ["second"])
    assert places["turned"] == ([1], [0], ["a"])
    assert places["linear"] == ([4], [0], ["d"])
    colours = [trace["marker"]["color"] for trace in figure.data]
    assert colours[1] == colours[2]
    assert len(set(colours)) == 5
    assert drawn["turned in chunks"]["opacity"] < drawn["turned"]["opacity"]
    assert drawn["dots"]["x"].tolist() == [1]


def test_heights_are_to_scale_and_widths_are_all_the_same():
    figure = layer_strips(STRIPS, WORDS)
    bars = [trace for trace in figure.data if trace["type"] == "bar"]
    widths = np.concatenate([trace["width"] for trace in bars])
    assert len(widths) == sum(len(strip.cells) for strip in STRIPS)
    assert set(widths.tolist()) == {np.float32(0.86)}  # less than 1, so that cells do not touch
    high = {trace["name"]: float(trace["y"][0]) for trace in bars}
    assert high["turned"] / high["added"] == pytest.approx(7 / 17)
    assert high["turned in chunks"] / high["nothing"] == pytest.approx(13 / 17)
    assert max(np.concatenate([trace["y"] for trace in bars])) < 1  # strips do not touch


def test_the_marked_strip_is_bold_and_words_stand_behind_each_or_numbers_where_there_is_little_room():
    layout = layer_strips(STRIPS, WORDS, marked="two").layout
    assert layout["yaxis"]["ticktext"] == ["one", "<b>two</b>"]
    ends = {str(n): layout["annotations"][n] for n in layout["meta"]["roles"]["end"]}
    assert [note["text"] for note in ends.values()] == ["2 layers", "4 layers"]
    assert layout["yaxis"]["tickvals"] == [note["y"] for note in ends.values()] == pytest.approx([1.41, 0.41])
    assert layout["meta"]["shorts"] == dict(zip(ends, ("2", "4"), strict=True))
