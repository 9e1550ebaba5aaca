"""Labels lie beside their points and not on each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.figures.placement import SIZE, place, spread

RANGES = [(0, SIZE[0]), (0, SIZE[1])]  # a unit is a pixel


def boxes(centres: np.ndarray, sides: list[str], width: float) -> list[tuple[float, float, float, float]]:
    """Where Plotly puts labels of 16 pixels height: left, top, right, bottom, y down."""
    found = []
    for (x, y), side in zip(centres, sides, strict=True):
        vertical, horizontal = side.split()
        left = x + {"left": -9 - width, "center": -width / 2, "right": 9}[horizontal]
        top = y + {"top": -9 - 16, "middle": -8, "bottom": 9}[vertical]
        found.append((left, top, left + width, top + 16))
    return found


def overlap(one: tuple, other: tuple) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("nearby", [(4.0, 0.0), (0.0, 4.0), (3.0, 3.0), (0.0, 0.0)])
def test_labels_of_nearby_points_do_not_cover_each_other(nearby):
    pixels = np.array([[200.0, 140.0], [200.0 + nearby[0], 140.0 + nearby[1]]])
    data = pixels * (1, -1) + (0, SIZE[1])  # data coordinates have y up
    (sides,) = place([data], [[50.0, 50.0]], RANGES, np.empty((0, 2)))
    one, other = boxes(pixels, sides, 50)
    assert not overlap(one, other)


def test_a_label_at_the_rim_stays_inside():
    (sides,) = place([np.array([[SIZE[0] - 5.0, 140.0]])], [[60.0]], RANGES, np.empty((0, 2)))
    assert "left" in sides[0]


def test_a_label_leaves_other_points_free():
    point, other = np.array([[200.0, 140.0]]), np.array([[230.0, 140.0]])
    (sides,) = place([point], [[40.0]], RANGES, other)
    (box,) = boxes(np.array([[200.0, 140.0]]), sides, 40)
    assert not overlap(box, (227, 137, 233, 143))


def test_every_point_has_one_side():
    random = np.random.default_rng(0)
    groups = [random.uniform(0, 1, (n, 2)) for n in (5, 0, 7)]
    sides = place(groups, [[30.0] * 5, [], [60.0] * 7], [(0, 1), (0, 1)], np.empty((0, 2)))
    assert [len(group) for group in sides] == [5, 0, 7]
    assert {side for group in sides for side in group} <= {
        f"{v} {h}" for v in ("top", "middle", "bottom") for h in ("left", "center", "right")
    } - {"middle center"}


POINTS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 100)), min_size=1, max_size=8)


def labels_of(moments: np.ndarray, widths: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Where labels and the ends of their lines are, in a picture in which a unit is a pixel."""
    ranges = np.broadcast_to(np.array(RANGES, float), (len(moments), 2, 2))
    return spread(moments, widths, ranges, SIZE)


def test_moving_labels_are_apart_though_their_points_are_one():
    moments = np.full((1, 6, 2), 100.0)
    (middles,), _ = labels_of(moments, [40.0] * 6)
    found = [(x - 20, y - 7, x + 20, y + 7) for x, y in middles]
    assert not [(i, j) for i in range(6) for j in range(i) if overlap(found[i], found[j])]


@given(points=POINTS, n=st.integers(1, 4))
def test_a_label_stays_while_nothing_moves(points, n):
    moments = np.repeat(np.array(points, float)[None], n, axis=0)
    middles, ends = labels_of(moments, [30.0] * len(points))
    assert middles.shape == ends.shape == moments.shape
    assert middles.dtype == ends.dtype == np.float32
    offsets = middles - moments
    assert all(np.array_equal(offsets[0], each) for each in offsets[1:])


@given(points=POINTS)
def test_a_line_ends_at_the_rim_of_its_label_or_there_is_none(points):
    moments = np.array(points, float)[None]
    (middles,), (ends,) = labels_of(moments, [30.0] * len(points))
    for point, middle, end in zip(moments[0], middles, ends, strict=True):
        if np.array_equal(point, end):
            continue  # close by
        share = np.abs(end - middle) / (15, 7)
        assert share.max() <= 1 + 1e-4
        assert np.hypot(*(end - point)) < np.hypot(*(middle - point)) + 1e-4
