"""The figures of the page "Relative": Plotly knows every name, and the lines are the numbers."""

import numpy as np
import pytest

from embedviz.figures.figure import Figure
from embedviz.figures.schemes.by_distance import by_distance
from embedviz.figures.schemes.pair_charts import PairChart, PairLine
from embedviz.figures.schemes.reach_strips import longer_texts
from embedviz.figures.schemes.shifted import Shifted, shifted
from embedviz.positions.rope_pairs import near_and_far
from tests.figures.drawn import to_plotly

NAN = float("nan")


def strips(states: dict, words: list[str], places: np.ndarray, trained: int) -> Figure:
    """The strips beside a chart of one pair."""
    pairs = PairChart("pairs", "circles", [PairLine("line", np.ones(1, np.float32))], 1, "one")
    return longer_texts("title", states, words, places, trained, pairs=pairs)


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
    assert not any("<b>" in name for name in figure.data[0]["x"])
    assert "plays" not in figure.layout["meta"]


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
    found, alibi = near_and_far(8), -np.abs(np.arange(-8, 9, dtype=np.float32))[None].repeat(3, 0)
    rope = {name: getattr(found, name) for name in ("ones", "mean", "spread")}
    figure = by_distance(found.steps, alibi, (alibi * -1, [1, 0, -1]), **rope)
    assert len(to_plotly(figure).data) == 3 + 3 + 4
    colours = [trace["line"]["color"] for trace in figure.data[:6]]
    assert colours == ["var(--token-0)"] * 3 + ["var(--token-1)", "var(--faint)", "var(--token-0)"]
    ends = [figure.layout["annotations"][n]["text"] for n in figure.layout["meta"]["roles"]["end"]]
    assert ends == ["falls", "neither", "rises", "all ones", "random"]
    assert len(by_distance(found.steps, alibi, None, **rope).data) == 3 + 4


def test_every_state_has_its_own_colour():
    """As Plotly colours a number: by its share of the way from zmin to zmax, on the scale."""
    words = ["seen", "again", "new", "never", "error", "untold"]
    trace = strips({"a": np.arange(6)}, words, np.arange(6), 5).data[0]
    shares = [(state - trace["zmin"]) / (trace["zmax"] - trace["zmin"]) for state in range(6)]
    ends = [share for share, _ in trace["colorscale"][1::2]]
    colours = [colour for _, colour in trace["colorscale"][::2]]
    assert [colours[np.searchsorted(ends, share)] for share in shares] == colours
    assert len(set(colours)) == 6


@pytest.mark.parametrize("trained", [1, 4, 10, 99])
def test_strips_name_all_stretches_and_say_how_long_they_are(trained):
    states = np.array([[0, 0, 0, 0, 1, 1, 4, 4, 4, 4]] * 2, np.uint8)
    words = ["seen", "again", "new", "never", "error"]
    figure = strips(dict(zip("ab", states, strict=True)), words, np.arange(10), trained)
    assert to_plotly(figure).data[0].z.shape == (2, 10)
    notes = [note for note in figure.layout["annotations"] if note["text"] in words]
    said = [(note["text"], note["x"]) for note in notes if note["y"] == 0]
    seen = [("seen", 0), ("seen", 2)] if trained == 1 else [("seen", 1.5)]  # the line cuts it
    assert said == [*seen, ("again", 4.5), ("error", 7.5)]
    meta = figure.layout["meta"]
    assert meta["roles"]["inside"] == [figure.layout["annotations"].index(note) for note in notes]
    shares = [meta["spans"][str(n)] for n in meta["roles"]["inside"]]
    assert shares == pytest.approx([*([0.1, 0.3] if trained == 1 else [0.4]), 0.2, 0.4] * 2)
    lines = [shape["x0"] for shape in figure.layout["shapes"] if shape["type"] == "line" and shape.get("y1") == 1.02]
    assert lines == ([trained - 0.5] if trained < 10 else [])
