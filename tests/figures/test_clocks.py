"""Clocks: Plotly knows every name, and hands point where their pairs do."""

import numpy as np
import pytest

from embedviz.figures.schemes.clocks import Clock, clocks
from tests.figures.drawn import to_plotly


def clock(query: list[float], key: list[float]) -> Clock:
    return Clock("Pair 0", np.array([query], np.float32), np.array([key], np.float32), ["angle", "share"], "0: angle")


def test_hands_are_on_one_scale_and_the_longest_reaches_the_rim():
    figure = clocks([clock([3, 4], [0, -1]), clock([1, 0], [0, 2])])
    assert len(to_plotly(figure).data) == 8
    hands = [trace for trace in figure.data if trace["name"] in ("query", "key")]
    tips = [(trace["x"][1], trace["y"][1]) for trace in hands]
    np.testing.assert_allclose(tips, [(0.6, 0.8), (0, -0.2), (0.2, 0), (0, 0.4)], atol=1e-6)
    letters = [note for note in figure.layout["annotations"] if note["text"] in ("<b>q</b>", "<b>k</b>")]
    for (x, y), note in zip(tips, letters, strict=True):  # beyond the rim, in the direction of its hand
        far, length = np.hypot(note["x"], note["y"]), np.hypot(x, y)
        assert far == pytest.approx(1.17)
        assert x * note["x"] + y * note["y"] == pytest.approx(far * length)


def test_queries_and_keys_may_have_scales_of_their_own():
    figure = clocks([clock([3, 4], [0, -1]), clock([1, 0], [0, 2])], own_scales=True)
    tips = [(trace["x"][1], trace["y"][1]) for trace in figure.data if trace["name"] in ("query", "key")]
    np.testing.assert_allclose(tips, [(0.6, 0.8), (0, -0.5), (0.2, 0), (0, 1)], atol=1e-6)


@pytest.mark.parametrize("key", [[1, 0.1], [1, -0.1], [1, 0]])
def test_letters_of_hands_that_nearly_meet_stand_apart_each_at_its_own_side(key):
    notes = clocks([clock([1, 0], key)]).layout["annotations"]
    q, k = (np.arctan2(note["y"], note["x"]) for note in notes if note["text"] in ("<b>q</b>", "<b>k</b>"))
    assert k - q == pytest.approx(-0.45 if key[1] < 0 else 0.45)
    assert k + q == pytest.approx(np.arctan2(key[1], key[0]), abs=1e-6)  # both have moved as far


def test_what_is_said_of_all_clocks_stands_above_them():
    figure = clocks([clock([1, 0], [0, 1])] * 2, "the score")
    to_plotly(figure)
    [line] = [note for note in figure.layout["annotations"] if note["text"] == "<b>the score</b>"]
    assert (line["yref"], line["y"], line["yanchor"]) == ("paper", 1, "bottom")
    assert line["font"]["size"] >= 16
    assert figure.layout["margin"]["t"] > 1.5 * line["font"]["size"]
    assert "margin" not in clocks([clock([1, 0], [0, 1])]).layout


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


def test_hands_that_were_left_are_pale_and_lie_below_with_the_arc_of_their_angle():
    left = np.array([[0, 2], [-1, 0]], np.float32)
    moved = Clock("Pair 0", np.array([[2, 0]], np.float32), np.array([[0, 1]], np.float32), [], left=left)
    figure = clocks([moved])
    to_plotly(figure)
    _dial, arc, query, key, *others = figure.data
    assert [trace["name"] for trace in others] == ["angle between the hands", "query", "key"]
    for trace, tip, colour in ((query, (0, 1), "var(--query)"), (key, (-0.5, 0), "var(--key)")):
        np.testing.assert_allclose([trace["x"], trace["y"]], np.transpose([(0, 0), tip]))
        assert (trace["line"]["color"], trace["opacity"]) == (colour, 0.5)
    turned = np.degrees(np.arctan2(arc["y"], arc["x"]))
    np.testing.assert_allclose(turned[[0, -1]], [90, 180], atol=1e-4)


def test_every_clock_has_words_for_beside_it_and_for_below_it():
    figure = clocks([clock([1, 0], [0, 1])] * 8)
    to_plotly(figure)
    asides = figure.layout["meta"]["roles"]["aside"]
    assert [figure.layout["annotations"][n]["text"] for n in asides] == ["<b>Pair 0</b><br>angle<br>share"] * 8
    assert figure.layout["meta"]["shorts"] == {str(n): "0: angle" for n in asides}
    assert figure.layout["meta"]["columns"] == (4, 2)


def test_hands_wedge_and_letters_go_along_their_way_to_where_they_are_drawn():
    way = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    figure = clocks([Clock("Pair 0", way, way[::-1], [])])
    to_plotly(figure)
    _dial, wedge, query, key = figure.data
    for hand, turns in ((query, way), (key, way[::-1])):
        x, y = (hand["meta"]["frames"][axis] for axis in "xy")
        np.testing.assert_array_equal(np.stack([x[:, 1], y[:, 1]], axis=1), turns)
        np.testing.assert_array_equal(x[:, 0], 0)
    for trace in (wedge, query, key):
        for axis in "xy":
            np.testing.assert_array_equal(trace[axis], trace["meta"]["frames"][axis][-1])
    meta = figure.layout["meta"]
    assert meta["frames"] == 3
    for n, places in meta["notes"].items():
        note = figure.layout["annotations"][int(n)]
        assert (note["x"], note["y"]) == (places["x"][-1], places["y"][-1])
        assert "frames" not in note
    assert "plays" not in clocks([clock([1, 0], [0, 1])]).layout["meta"]


def test_hands_without_a_length_are_drawn():
    figure = clocks([clock([0, 0], [0, 0])])
    assert all(np.isfinite(trace["x"]).all() for trace in figure.data)
