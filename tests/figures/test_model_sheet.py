"""The picture of one model or two: areas true to scale, lengths, and what is kept."""

from itertools import pairwise

import numpy as np
import pytest

from embedviz.figures.schemes.model_sheet import Seen, Sheet, model_sheet

LENGTHS = np.array([1, 10, 100])


def sheet(*seen: Seen, both_ways: bool = False, kept: bool = True) -> Sheet:
    found = LENGTHS * 2.0**20 if kept else np.array([])
    return Sheet("one", 100, both_ways, seen, {"window": [10], "claimed": [100]}, LENGTHS[: 3 * kept], found)


def area(trace: dict) -> float:
    """The area that a trace fills, by the shoelace formula; parts stand between gaps."""
    x, y = (np.asarray(trace[axis], float) for axis in ("x", "y"))
    ends = [-1, *np.flatnonzero(np.isnan(x)), len(x)]
    parts = [slice(a + 1, b) for a, b in pairwise(ends) if b > a + 1]
    return sum(abs(np.dot(x[p][:-1], y[p][1:]) - np.dot(x[p][1:], y[p][:-1])) / 2 for p in parts)


@pytest.mark.parametrize(
    ("seen", "both_ways", "expected"),
    [
        (Seen("all", "red"), False, 100 * 100 / 2),
        (Seen("all", "red"), True, 100 * 100),
        (Seen("near", "red", 10), False, (100**2 - 90**2) / 2),
        (Seen("near", "red", 10), True, 100**2 - 95**2),
        (Seen("chunk", "red", 25, in_chunks=True), False, 4 * 25 * 25 / 2),
    ],
    ids=str,
)
def test_an_area_is_as_large_as_what_is_seen(seen, both_ways, expected):
    figure = model_sheet([sheet(seen, both_ways=both_ways)])
    figure.to_plotly()
    assert area(figure.data[0]) == pytest.approx(expected)


def test_narrow_areas_lie_on_wide_ones():
    drawn = model_sheet([sheet(Seen("near", "red", 10), Seen("all", "blue"))]).data
    assert [trace["name"] for trace in drawn[:2]] == ["all", "near"]


def test_lengths_and_what_is_kept_share_the_scale_of_tokens():
    figure = model_sheet([sheet(Seen("all", "red")), sheet(Seen("all", "red"))])
    assert len(figure.to_plotly().data) == 2 + 2 + 2
    *_masks, first, second, kept, _other = figure.data
    assert first["x"].tolist() == [10, 100]
    assert np.all(second["y"] > first["y"])  # beside each other
    assert kept["y"].tolist() == pytest.approx((LENGTHS / 1024).tolist())
    axes = [figure.layout[f"xaxis{n}"] for n in (3, 4)]
    assert axes[0]["range"] == axes[1]["range"]
    assert axes[0]["type"] == "log"


def test_what_is_not_known_has_no_panel():
    assert len(model_sheet([sheet(kept=False)]).layout["meta"]["panels"]) == 1
