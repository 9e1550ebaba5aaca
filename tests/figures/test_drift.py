"""The figures of a training: the panels that move know their frames."""

import numpy as np

from embedviz.figures.model.drift import position_cosines, word_drift
from tests.figures.drawn import to_plotly

RANDOM = np.random.default_rng(0)


def test_only_what_is_on_screen_now_moves_and_has_the_name_of_the_snapshot():
    figure = position_cosines(RANDOM.normal(size=(3, 5, 5)).astype(np.float32), [0, 1, 2])
    to_plotly(figure)
    assert [list(trace["meta"]) for trace in figure.data] == [[], ["frames"]]
    titles = [note["text"] for note in figure.layout["annotations"]]
    assert titles == ["cosine before training", "after 2 steps"]
    assert figure.layout["meta"]["headings"] == [1]


def test_names_move_with_their_points_unless_only_the_last_snapshot_is_shown():
    points = RANDOM.normal(size=(3, 4, 2)).astype(np.float32)
    for plays, moments in ((True, points), (False, points[-1:])):
        figure = word_drift(points, np.array([0.5, 0.2]), list("abcd"), list("xxyy"), [0, 1, 2], plays=plays)
        to_plotly(figure)
        lines, names = figure.data[-2:]
        assert lines["mode"] == "lines"  # which lead to the names
        assert names["meta"]["around"]
        assert np.array_equal(np.stack([names["meta"]["frames"][axis] for axis in "xy"], axis=2), moments)
        assert figure.layout["meta"]["ranges"]["xaxis"].shape == (3, 2)
