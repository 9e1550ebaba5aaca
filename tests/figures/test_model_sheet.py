"""The picture of one model or two: areas true to scale, lengths, and what is kept."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from embedviz.figures.schemes.model_sheet import Seen, Sheet, lengths, masks_and_kept
from tests.figures.drawn import to_plotly

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
    figure = masks_and_kept([sheet(seen, both_ways=both_ways)])
    to_plotly(figure)
    assert area(figure.data[0]) == pytest.approx(expected)


def test_each_kind_of_layers_has_a_picture_and_its_number_above_it():
    figure = masks_and_kept([sheet(Seen("near", "red", 10, n_layers=(5, 6)), Seen("all", "blue", n_layers=(1, 6)))])
    assert [trace["name"] for trace in figure.data[:2]] == ["near", "all"]
    assert figure.data[0]["xaxis"] != figure.data[1]["xaxis"]
    titles = [note["text"] for note in figure.layout["annotations"][:2]]
    assert titles == ["one<br>5 of 6 layers", "one<br>1 of 6 layers"]
    assert [*figure.layout["meta"]["shorts"].values()][:2] == ["one<br>5/6", "\u00a0<br>1/6"]


def test_what_is_kept_is_a_line_for_each_model():
    figure = masks_and_kept([sheet(Seen("all", "red")), sheet(Seen("all", "red"))])
    assert len(to_plotly(figure).data) == 2 + 2
    *_masks, kept, _other = figure.data
    assert kept["x"].tolist() == LENGTHS.tolist()
    assert kept["y"].tolist() == pytest.approx((LENGTHS / 1024).tolist())
    assert len(figure.layout["meta"]["roles"]["end"]) == 2  # the names of the lines


@pytest.mark.parametrize(("shortest", "longest", "named"), [(256, 131072, [1000, 100_000]), (256, 512, [256, 512])])
def test_the_lengths_of_texts_have_two_names_that_lie_in_the_picture(shortest, longest, named):
    known = replace(sheet(Seen("all", "red")), lengths=np.array([shortest, longest]), kept=np.array([1e9, 2e9]))
    figure = masks_and_kept([known])
    assert figure.layout["xaxis2"]["tickvals"] == named


def test_lengths_stand_on_one_scale_and_those_of_two_models_beside_each_other():
    figure = lengths([sheet(), sheet()])
    assert len(to_plotly(figure).data) == 2
    first, second = figure.data
    assert first["x"].tolist() == second["x"].tolist() == [10, 100]
    assert np.all(second["y"] > first["y"])
    assert figure.layout["yaxis"]["ticktext"] == ["window", "claimed"]
    assert figure.layout["xaxis"]["type"] == "log"


def test_what_is_not_known_has_no_panel():
    assert len(masks_and_kept([sheet(Seen("all", "red"), kept=False)]).layout["meta"]["panels"]) == 1
