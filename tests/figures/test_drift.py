"""The figures of a training: the panels that move know their frames."""

import numpy as np

from embedviz.figures.model.drift import position_cosines, word_drift
from tests.figures.drawn import to_plotly

AFTER = "after 2000 steps: neighbours −0.09 on average"
RANDOM = np.random.default_rng(0)


def test_only_what_is_on_screen_now_moves_and_has_the_name_of_the_snapshot():
    near = np.array([0.041, 0.2, -0.09], np.float32)
    figure = position_cosines(RANDOM.normal(size=(3, 5, 5)).astype(np.float32), near, [0, 1, 2000])
    to_plotly(figure)
    assert [list(trace["meta"]) for trace in figure.data] == [[]] * 3 + [["frames"]] * 3
    notes = figure.layout["annotations"]
    titles = [notes[n]["text"] for n in figure.layout["meta"]["roles"]["heading"]]
    assert titles == ["before training: neighbours 0.04 on average", "", AFTER, ""]
    assert figure.layout["meta"]["headings"] == [2]
    assert notes[2]["text"] == AFTER
    assert figure.layout["meta"]["names"] == [titles[0], "after 1 step: neighbours 0.20 on average", AFTER]


def test_cells_that_are_no_neighbours_are_paler_and_the_mean_of_neighbours_is_a_cell_of_its_own():
    near, similarity = np.array([0.041, -0.09], np.float32), RANDOM.normal(size=(2, 5, 5)).astype(np.float32)
    figure = position_cosines(similarity, near, [0, 7])
    apart = np.abs(np.subtract.outer(range(5), range(5)))
    for at in (0, 1):
        others, neighbours, mean = figure.data[3 * at : 3 * at + 3]
        np.testing.assert_array_equal(others["z"], np.where(apart > 1, similarity[at], np.nan))
        np.testing.assert_array_equal(neighbours["z"], np.where(apart == 1, similarity[at], np.nan))
        np.testing.assert_array_equal(mean["z"], [[near[at]]])
        scales = [trace["coloraxis"] for trace in (others, neighbours, mean)]
        assert scales == ["coloraxis2", "coloraxis", "coloraxis"]
    pale, full = figure.layout["coloraxis2"], figure.layout["coloraxis"]
    assert (pale["cmin"], pale["cmax"], full["cmin"], full["cmax"]) == (-3, 3, -1, 1)
    assert (pale["colorscale"], pale["showscale"]) == (full["colorscale"], False)
    np.testing.assert_array_equal(mean["meta"]["frames"]["z"], near[:, None])


def test_both_tables_of_positions_say_alike_what_their_rows_and_columns_are():
    layout = position_cosines(np.zeros((2, 5, 5), np.float32), np.zeros(2, np.float32), [0, 1]).layout
    titles = [layout[name]["title"] for name in ("xaxis", "yaxis", "xaxis3", "yaxis3")]
    assert titles == [titles[0]] * 4
    assert titles[0]["text"] == "position"
    assert layout["meta"]["once"] == ()


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
