"""Lines through a model's layers, and the board of its heads."""

import numpy as np
import pytest

from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.figures.model.heads import head_maps
from tests.figures.drawn import to_plotly


def test_lines_go_from_the_input_through_all_layers_and_are_named_at_their_ends():
    values = np.array([1, 0.5, 0.75], np.float32)
    found = to_plotly(stage_charts([Chart("one", [Line("dog", values, "red")], "cosine")], 0.4, 1.0))
    assert found.data[0].x.tolist() == [0, 1, 2]
    assert found.data[0].y.tolist() == values.tolist()
    assert list(found.layout.xaxis.ticktext) == ["input", "1", "2"]
    assert found.layout.yaxis.range == pytest.approx((0.37, 1.03))
    (end,) = (note for note in found.layout.annotations if note.text == "dog")
    assert end.y == 0.75


def test_the_board_frames_the_picked_head_and_names_count_from_one():
    board = np.arange(24, dtype=np.float32).reshape(2, 12) / 24
    weights = np.eye(2, dtype=np.float32)
    names = [["", "itself", *[""] * 10], [""] * 12]
    drawn = head_maps(
        (weights, weights[::-1]),
        (weights > 2, weights > 2),
        (1, 4),
        ids=([3, 4], [4, 3]),
        texts=(["a", "b"], ["b", "a"]),
        colour_order=[4, 3],
        board=board,
        names=names,
    )
    found = to_plotly(drawn)
    all_heads, of_a, of_b = found.data
    np.testing.assert_array_equal(all_heads.z, board)
    assert list(all_heads.x) == list(range(1, 13))
    assert all_heads.text[0][1] == "itself<br>"
    assert list(found.layout.xaxis.tickvals) == [2, 4, 6, 8, 10, 12]
    np.testing.assert_array_equal(of_a.z, weights)
    np.testing.assert_array_equal(of_b.z, weights[::-1])
    assert "var(--token-0)" in found.layout.yaxis2.ticktext[1]  # the token that comes first in this order
    (frame,) = found.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (4.5, 5.5, 1.5, 2.5)
