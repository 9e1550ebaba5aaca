"""How figures grow with the type around them."""

import re

import numpy as np
import pytest

from embedviz.figures import theme
from embedviz.figures.axes import token_matrix
from embedviz.figures.curves import Line
from embedviz.figures.figure import Figure, Panel, line_end
from embedviz.figures.figure import figure as of_panels
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.model.next_words import next_word_bars
from embedviz.text.tokens import tokenize
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
    figure = matrices([Matrix(np.full((12, 4), -0.1234, np.float32), "table", rows, list(range(12)), decimals=4)])
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
    table = Matrix(np.full((3, 3), -0.1292, np.float32), "table", ["a", "b", "c"], [1, 2, 3], decimals=4)
    figure = matrices([table])
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


def test_a_zero_stays_pale_with_fewer_decimals(ask):
    numbers = Matrix(np.array([[0, -0.1292]], np.float32), "table", ["a"], [1], decimals=4)
    (trace,) = resized(ask, matrices([numbers]), 2.3, width=380)["legible"]["data"]
    assert trace["text"] == [['<span style="color:var(--faint)">0.000</span>', "−0.129"]]


@pytest.mark.parametrize("factor", [1, 2])
def test_lines_touch_both_tables_and_names_at_the_right_stand_before_the_bar(ask, factor):
    tables = [Matrix(np.ones((n, 2), np.float32), "table", ["12 letters"] * n, [0] * n) for n in (1, 2)]
    layout = resized(ask, matrices(tables, linked=True), factor)["legible"]["layout"]
    left, between, right = (layout[f"xaxis{n}"]["domain"] for n in ("", 2, 3))
    assert (left[1], between[1]) == pytest.approx((between[0], right[0]))
    length = 1200 - layout["margin"]["l"] - layout["margin"]["r"]
    size = layout["yaxis3"]["tickfont"]["size"]
    assert (layout["coloraxis"]["colorbar"]["x"] - right[1]) * length > 0.5 * size * len("12 letters")


def test_a_panel_of_another_group_stands_farther_away(ask):
    x, y = theme.axis(range=[0, 1]), theme.axis(range=[0, 1], showticklabels=False)
    apart = []
    for gap in (0, 5):
        figure = of_panels([Panel([], x, y), Panel([], x, y, gap=gap)])
        layout = resized(ask, figure, 1)["legible"]["layout"]
        (_left, end), (start, _right) = (layout[name]["domain"] for name in ("xaxis", "xaxis2"))
        apart.append((start - end) * (1200 - layout["margin"]["l"] - layout["margin"]["r"]))
    assert apart[1] - apart[0] == pytest.approx(5 * 13)


def test_a_heading_that_fits_begins_where_its_panel_does_though_each_of_its_words_has_a_direction_of_its_own(ask):
    prompts = [tokenize("the cat sat on the mat , who sat ?", "words")] * 3
    figure = next_word_bars(prompts, ["cat", "others"], [0], np.zeros((3, 2), np.float32), prompts[0].ids)
    notes = resized(ask, figure, 1, width=1216)["legible"]["layout"]["annotations"]
    assert [note["text"].count("\u2068") for note in notes] == [10, 10, 10]
    assert [note.get("xshift", 0) for note in notes] == [0, 0, 0]


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


@pytest.mark.parametrize(
    ("room", "names", "angle", "lines"),
    [
        ((1, 450), ["A0 the", "A1 cat"], 0, 1),
        ((1, 300), ["A0<br>the", "A1<br>cat"], 0, 2),
        ((1, 250), ["A0 the", "A1 cat"], -45, None),
        ((2, 1000), ["A0 the", "A1 cat"], 0, 1),
        ((2, 650), ["A0<br>the", "A1<br>cat"], 0, 2),
        ((2, 450), ["A0 the", "A1 cat"], -45, None),
        ((2, 300), ["0", "1"], 0, 1),
    ],
)
def test_names_of_columns_stand_upright_where_they_have_room(ask, room, names, angle, lines):
    words = [f"A{n} \u2068{word}\u2069" for n, word in enumerate(["the", "cat"] * 4)]
    numbers = np.zeros((8, 8), np.float32)
    figure = of_panels([token_matrix(numbers, [words] * 2, [list(range(8))] * 2, "weight", title="")])
    layout = resized(ask, figure, *room)["legible"]["layout"]
    axis = layout["xaxis"]
    assert [re.sub(r"</?span.*?>|[\u2068\u2069]", "", name) for name in axis["ticktext"]][:2] == names
    assert len(axis["ticktext"]) == 8
    assert axis["tickangle"] == angle
    if lines:  # a line of names takes 1.3 of its type, and 0.3 are between panel and names, and below them
        assert layout["margin"]["b"] / layout["font"]["size"] == pytest.approx(0.6 + 1.3 * lines)
