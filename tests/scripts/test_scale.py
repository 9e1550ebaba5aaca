"""How figures grow with the type around them."""

import numpy as np
import pytest

from embedviz.figures import theme
from embedviz.figures.curves import Line
from embedviz.figures.figure import Figure, Panel, line_end
from embedviz.figures.figure import figure as of_panels
from embedviz.figures.matrices import Matrix, matrices
from tests.scripts.node import Ask

SCRIPT = "tests/scripts/figures.js"


def resized(ask: Ask, figure: Figure, factor: float, width: int = 1200, height: int = 400) -> dict:
    room = {"clientWidth": width, "clientHeight": height}
    return ask(SCRIPT, "resized", {"data": figure.data, "layout": figure.layout}, factor, room)


def one_line() -> Figure:
    """A line with marks, and its name at its end."""
    line = Line("a", np.array([1.0, 2.0, 3.0], np.float32), "#123456")
    trace = line.trace([1, 2, 4], mode="lines+markers", marker={"size": 9})
    return of_panels(
        [Panel([trace], theme.axis("x"), theme.axis("y", range=[0, 4]), notes=[line_end("a", 3, "#123456")])]
    )


def type_of(size: float, factor: float = 1.5) -> float:
    """Type shrinks by a seventh on a slide, where there is little room, but never below what a hall can read."""
    return factor * max(0.8 * 16, 0.85 * size)


def test_all_pixels_of_a_figure_grow_and_nothing_else(ask):
    figure = one_line()
    found = resized(ask, figure, 1.5)["enlarged"]
    assert found["layout"]["font"]["size"] == pytest.approx(type_of(13))
    assert found["layout"]["annotations"][0]["font"]["size"] == pytest.approx(type_of(14))
    assert found["layout"]["annotations"][0]["xshift"] == 1.5 * figure.layout["annotations"][0]["xshift"]
    assert found["layout"]["annotations"][0]["y"] == pytest.approx(figure.layout["annotations"][0]["y"])
    assert found["layout"]["yaxis"]["range"] == pytest.approx(list(figure.layout["yaxis"]["range"]))
    assert found["data"][0]["line"]["width"] == 3.75
    assert found["data"][0]["marker"]["size"] == 1.5 * figure.data[0]["marker"]["size"]
    assert found["data"][0]["y"] == [1, 2, 3]
    assert resized(ask, figure, 1)["same"]


def test_what_was_enlarged_comes_back_to_its_size(ask):
    figure = one_line()
    back = resized(ask, figure, 2.25)["back"]
    assert back["layout"]["annotations"][0]["xshift"] == pytest.approx(6)
    assert back["data"][0]["line"]["width"] == pytest.approx(2.5)


def test_numbers_stand_in_cells_only_where_they_fit_and_names_do_not_touch(ask):
    rows = [str(n) for n in range(12)]
    figure = matrices([Matrix(np.full((12, 4), -0.1234, np.float32), "table", rows, list(range(12)))])
    high, low = (resized(ask, figure, 1.5, height=height)["legible"] for height in (900, 300))
    assert high["data"][0]["texttemplate"] == "%{text}"
    assert high["data"][0]["text"] == [["−0.1234"] * 4] * 12
    assert high["data"][0]["textfont"]["size"] >= 18
    assert high["layout"]["yaxis"]["ticktext"] == rows
    assert low["data"][0]["texttemplate"] == ""
    assert low["layout"]["yaxis"]["ticktext"] == rows[::2]
    assert low["layout"]["yaxis"]["tickvals"] == list(range(0, 12, 2))


@pytest.mark.parametrize("width", range(200, 1300, 100))
def test_numbers_in_narrow_cells_have_fewer_decimals_and_never_leave_their_cells(ask, width):
    figure = matrices([Matrix(np.full((3, 3), -0.1292, np.float32), "table", ["a", "b", "c"], [1, 2, 3])])
    drawn = resized(ask, figure, 2.3, width=width)["legible"]
    (trace,), margin = drawn["data"], drawn["layout"]["margin"]
    if not trace["texttemplate"]:
        assert width < 500
        return
    number = trace["text"][0][0]
    assert number in ("−0.1292", "−0.129", "−0.13", "−0.1")
    cell = (width - margin["l"] - margin["r"]) / 3
    assert 0.5 * trace["textfont"]["size"] * len(number) < cell
    assert width < 1200 or number == "−0.1292"


@pytest.mark.parametrize("name", ["b", "a name as long as a sentence"])
def test_below_each_other_a_panel_is_as_wide_as_its_own_names_let_it_be(ask, name):
    table = np.ones((2, 3), np.float32)
    figure = matrices([Matrix(table, "one", ["a", "b"], [1, 2]), Matrix(table, "two", ["a", name], [1, 2])])
    room = {"width": 340, "height": 500}
    (left, right), (lower_left, lower_right) = ask(
        SCRIPT, "across", {"data": figure.data, "layout": figure.layout}, room
    )
    assert right == pytest.approx(lower_right)
    assert right < 340
    assert 0 < left < 60
    assert lower_left > left + 60 if len(name) > 1 else lower_left == pytest.approx(left)


def test_of_labels_that_would_cover_each_other_the_first_stays(ask):
    trace = {"type": "scatter", "mode": "markers+text", "x": [0, 0.01, 5], "y": [0, 0.01, 5],
             "text": ["one", "two", "three"], "textposition": "top center"}  # fmt: skip
    axes = {f"{axis}axis": {"range": [-1, 6]} for axis in "xy"}
    figure = Figure([trace], {"font": {"size": 13}, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, **axes})
    assert resized(ask, figure, 1.5)["legible"]["data"][0]["text"] == ["one", " ", "three"]
    assert resized(ask, figure, 1)["legible"]["data"][0]["text"] == ["one", "two", "three"]


def test_a_title_below_a_low_panel_stays_if_the_margin_has_room_for_it(ask):
    low, cramped = (resized(ask, one_line(), 1.5, height=height)["legible"]["layout"] for height in (150, 90))
    for layout, title in ((low, "x"), (cramped, "")):
        panel = layout["xaxis"]
        assert panel["title"]["text"] == title
        needed = 1.6 * (layout["font"]["size"] + panel["title"]["font"]["size"])  # names of columns and the title
        assert (layout["margin"]["b"] >= needed) == bool(title)
