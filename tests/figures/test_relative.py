"""The figures of the page "Relative": Plotly knows every name, and the lines are the numbers."""

import numpy as np
import pytest

from embedviz.figures.schemes.by_distance import by_distance
from embedviz.figures.schemes.far import Reading, far
from embedviz.figures.schemes.shifted import Shifted, shifted
from embedviz.positions.rope_pairs import near_and_far
from tests.figures.drawn import to_plotly

NAN = float("nan")


def matrix(value: float, size: int = 3) -> np.ndarray:
    return np.full((size, size), value, np.float32)


@pytest.mark.parametrize("size", [1, 3, 64])
def test_matrices_on_one_scale_with_a_sign_before_the_second(size):
    parts = [
        Shifted("moves", matrix(1, size), np.stack([matrix(1, size), matrix(-9, size)]), False),
        Shifted("stays", matrix(2, size), np.stack([matrix(2, size)] * 2), True),
        Shifted("ended", matrix(2, size), np.stack([matrix(2, size), matrix(NAN, size)]), None),
    ]
    figure = shifted(parts, [0, 5], list(range(size)), ["<b>"] * size)
    assert len(to_plotly(figure).data) == 6
    assert figure.layout["coloraxis"]["cmax"] == -figure.layout["coloraxis"]["cmin"] == 9
    said = [note["text"] for note in figure.layout["annotations"]]
    assert said[:6] == ["<b>moves</b>", "5 later", "<b>stays</b>", "5 later", "<b>ended</b>", "5 later"]
    assert said[6:] == ["≠", "=", "the table ended"]
    fonts = [figure.layout["annotations"][n]["font"] for n in figure.layout["meta"]["roles"]["sign"]]
    assert fonts == [{"size": 56, "color": "var(--accent)"}, {"size": 56, "color": "var(--faint)"}]
    assert not any("<b>" in name for name in figure.data[0]["x"])
    assert "plays" not in figure.layout["meta"]
    assert [panel["gap"] for panel in figure.layout["meta"]["panels"]] == [0, 0, 5, 0, 5, 0]


def test_what_slides_has_a_name_for_each_place_and_ends_where_it_is_drawn():
    way = np.stack([matrix(n) for n in range(3)])
    figure = shifted([Shifted("x", way[0], way, False)], [0, 1, 4], [1, 2, 3], ["a", "b", "c"])
    meta = figure.layout["meta"]
    assert (meta["names"], meta["headings"]) == (["0 later", "1 later", "4 later"], [1])
    later = figure.data[1]
    assert np.array_equal(later["meta"]["frames"]["z"][-1].reshape(3, 3), later["z"])


@pytest.mark.parametrize("value", [0, NAN])
def test_matrices_without_a_number_have_a_scale(value):
    part = Shifted("x", matrix(value), matrix(value)[None], None)
    assert shifted([part], [0], [1, 2, 3], ["a", "b", "c"]).layout["coloraxis"]["cmax"] == 1


def test_curves_over_the_distance_have_the_colour_of_their_way():
    found, alibi = near_and_far(8), -np.arange(9, dtype=np.float32)[None].repeat(3, 0)
    rope = {name: getattr(found, name) for name in ("mean", "spread")}
    both_ways = np.arange(-8, 9)
    t5 = both_ways, np.abs(both_ways).astype(np.float32)[None].repeat(3, 0), [1, 0, -1]
    figure = by_distance(found.distances, alibi, t5, **rope)
    assert len(to_plotly(figure).data) == 3 + 3 + 3
    colours = [trace["line"]["color"] for trace in figure.data[:6]]
    assert colours == ["var(--falls)"] * 3 + ["var(--rises)", "var(--neither)", "var(--falls)"]
    ends = [figure.layout["annotations"][n]["text"] for n in figure.layout["meta"]["roles"]["end"]]
    assert ends == ["falls", "neither", "rises", "random"]
    assert len(by_distance(found.distances, alibi, None, **rope).data) == 3 + 3


def test_distance_grows_to_the_right_and_only_the_t5_that_reads_both_ways_has_keys_after_the_query():
    found, both_ways = near_and_far(8), np.arange(-8, 9)
    alibi, t5 = np.zeros((1, 9), np.float32), (both_ways, np.zeros((1, 17), np.float32), [0])
    figure = by_distance(found.distances, alibi, t5, mean=found.mean, spread=found.spread)
    ends = {trace["xaxis"]: (trace["x"][0], trace["x"][-1]) for trace in figure.data}
    assert ends == {"x": (0, 8), "x2": (-8, 8), "x3": (0, 8)}
    titles = [figure.layout[axis]["title"]["text"] for axis in ("xaxis", "xaxis2", "xaxis3")]
    assert titles == ["distance", "key − query", "distance"]
    hovers = [trace.get("hovertemplate", "") for trace in figure.data if trace["name"] == "head 1"]
    assert ["key − query" in hover for hover in hovers] == [False, True]


def test_the_band_of_random_pairs_fills_half_of_its_panel():
    distances, mean, spread = np.arange(3), np.array([0.1, 0, 0], np.float32), np.array([1, 1, 1.2], np.float32)
    figure = by_distance(distances, np.zeros((1, 3), np.float32), None, mean=mean, spread=spread)
    assert figure.layout["yaxis2"]["range"] == pytest.approx([-2.4, 2.4])


def test_lines_that_stay_right_are_thick_and_what_guesses_are_worth_is_named_among_them():
    values, all_learned = np.ones((2, 2), np.float32), np.ones(2, bool)
    none, keeps = (Reading(name, "none", values, all_learned, name == "keeps") for name in ("none", "keeps"))
    figure = far([none, keeps], [32, 64], 32, axis="", short="", guesses={"a half": 0.5}, top=1.0)
    looks = [(trace["line"]["width"], trace["marker"]["size"], trace["opacity"]) for trace in figure.data]
    assert looks == [(1.5, 3, 0.45)] * 2 + [(4, 8, 1)] * 2
    assert len({trace["line"]["color"] for trace in figure.data}) == 1
    places = {note["text"]: note["xref"] for note in figure.layout["annotations"]}
    assert places == {"none": "x domain", "<b>keeps</b>": "x2 domain", "a half": "x2 domain"}
    nobody = far([none, none], [32, 64], 32, axis="", short="", guesses={"a half": 0.5}, top=1.0)
    assert nobody.layout["annotations"][-1]["xref"] == "x domain"
