"""Clocks and cells: Plotly knows every name, hands point where their pairs do, and lines lead where they should."""

from itertools import pairwise

import numpy as np
import pytest

from embedviz.figures.schemes.clocks import Clock, clocks
from embedviz.figures.schemes.pair_cells import Row, pair_cells


def clock(query: list[float], key: list[float]) -> Clock:
    return Clock("Pair 0", np.array(query, np.float32), np.array(key, np.float32), ["angle", "share"])


def test_hands_are_on_one_scale_and_the_longest_reaches_the_rim():
    figure = clocks([clock([3, 4], [0, -1]), clock([1, 0], [0, 2])])
    assert len(figure.to_plotly().data) == 8
    hands = [trace for trace in figure.data if trace["name"] in ("query", "key")]
    tips = [(trace["x"][1], trace["y"][1]) for trace in hands]
    np.testing.assert_allclose(tips, [(0.6, 0.8), (0, -0.2), (0.2, 0), (0, 0.4)], atol=1e-6)
    letters = [note for note in figure.layout["annotations"] if note["text"] in ("<b>q</b>", "<b>k</b>")]
    for (x, y), note in zip(tips, letters, strict=True):  # beyond the tip, in the direction of its hand
        assert (note["x"], note["y"]) == pytest.approx((x, y))
        assert np.hypot(note["xshift"], note["yshift"]) == pytest.approx(10)
        assert x * note["xshift"] + y * note["yshift"] == pytest.approx(10 * np.hypot(x, y))


@pytest.mark.parametrize(
    ("query", "key", "apart"), [([1, 0], [0, 1], 90), ([-1, 0.1], [-1, -0.1], 11.42), ([1, 0], [1, 0], 0)]
)
def test_the_wedge_fills_the_smaller_angle(query, key, apart):
    (wedge,) = (trace for trace in clocks([clock(query, key)]).data if trace["name"] == "angle between the hands")
    ends = [np.array([wedge["x"][n], wedge["y"][n]]) for n in (1, -2)]
    for end, hand in zip(ends, (query, key), strict=True):
        np.testing.assert_allclose(end / np.hypot(*end), np.array(hand) / np.hypot(*hand), atol=1e-5)
    turned = np.unwrap(np.arctan2(wedge["y"][1:-1], wedge["x"][1:-1]))
    assert np.degrees(abs(turned[-1] - turned[0])) == pytest.approx(apart, abs=0.01)


def axis(layout: dict, letter: str, n: int) -> dict:
    return layout[f"{letter}axis{n + 1 if n else ''}"]


@pytest.mark.parametrize("is_large", [False, True])
def test_clocks_stand_in_rows_of_four_and_below_each_other_where_there_is_little_room(is_large):
    figure = clocks([clock([1, 0], [0, 1])] * 8, is_large)
    figure.to_plotly()
    narrow = figure.layout["meta"]["narrow"]
    for layout, n_rows in ((figure.layout, 2), (narrow, 8)):
        spans = sorted({tuple(axis(layout, "y", n)["domain"]) for n in range(8)})
        assert len(spans) == n_rows
        assert all(top < bottom for (_, top), (bottom, _) in pairwise(spans))
        assert len(layout["annotations"]) == 8 * 3  # the words and two letters
        for n in range(8):  # a dial is round
            assert axis(layout, "y", n)["scaleanchor"] == axis(layout, "y", n)["anchor"]
            assert figure.data[4 * n]["xaxis"] == axis(layout, "y", n)["anchor"]


def test_large_words_stand_below_their_clock_in_one_line():
    layout = clocks([clock([1, 0], [0, 1])] * 8, is_large=True).layout
    for n, note in enumerate(layout["annotations"][::3]):
        assert (note["yref"], note["y"], note["yanchor"]) == (f"y{n + 1 if n else ''} domain", 0, "top")
        assert "<br>" not in note["text"]
    lowest_of_first_row, highest_of_second_row = axis(layout, "y", 0)["domain"][0], axis(layout, "y", 4)["domain"][1]
    assert lowest_of_first_row - highest_of_second_row > 0.1  # the line has room


def test_hands_without_a_length_are_drawn():
    figure = clocks([clock([0, 0], [0, 0])])
    assert all(np.isfinite(trace["x"]).all() for trace in figure.data)


def test_cells_arcs_and_links():
    above = Row("Halves", np.arange(8), np.array([0, 1, 2, 3, 0, 1, 2, 3]))
    below = Row("Interleaved", np.array([0, 4, 1, 5, 2, 6, 3, 7]), np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    figure = pair_cells(above, below)
    assert len(figure.to_plotly().data) == 4 + 4 + 8 + 2
    lines = [trace for trace in figure.data if trace["mode"] == "lines"]
    arcs, links = lines[:8], lines[8:]
    ends = [sorted((round(float(arc["x"][0])), round(float(arc["x"][-1])))) for arc in arcs]
    assert ends == [[0, 4], [1, 5], [2, 6], [3, 7], [0, 1], [2, 3], [4, 5], [6, 7]]
    assert [(int(link["x"][0]), int(link["x"][1])) for link in links] == [
        (0, 0), (1, 2), (2, 4), (3, 6), (4, 1), (5, 3), (6, 5), (7, 7)
    ]  # fmt: skip
    fills = [cell["fillcolor"] for cell in figure.layout["shapes"]]
    for row, colours in ((above, fills[:8]), (below, fills[8:])):
        for pair in range(4):
            assert len({colours[n] for n in np.flatnonzero(row.pairs == pair)}) == 1
    assert len(set(fills)) == 4
