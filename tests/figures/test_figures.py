"""Figures: Plotly knows every name and value, and the rows and points are the ones they say."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.figures.distances import copies_map
from embedviz.figures.figure import Figure
from embedviz.figures.scatter import sum_scatter
from embedviz.text.visible import in_figure
from embedviz.vectors.projection import scene
from tests.figures.drawn import to_plotly

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
CASES = {
    "default": (CAT, MAT, {}),
    "one token": ("the", "the", {}),
    "empty A": ("", MAT, {}),
    "empty B": (CAT, "", {}),
    "one token in all": ("", "the", {"position": "none"}),
    "200 tokens": ("the cat " * 100, "cat the " * 100, {"output_dim": 16}),
    "no positions": (CAT, MAT, {"position": "none"}),
    "scale 0": (CAT, MAT, {"position_scale": 0.0}),
    "one dimension": (CAT, MAT, {"output_dim": 1}),
    "words": (CAT, MAT, {"tokenizer": "words", "output_dim": 3}),
    "hostile": ("<b>a</b> \x00 \u202e &amp; 🐈", "%{x} <br> $x$", {"output_dim": 8}),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def c(request, compared) -> ev.Comparison:
    a, b, settings = request.param
    return compared(a, b, **settings)


def words(c: ev.Comparison) -> tuple[tuple[list[int], list[int]], tuple[list[str], list[str]]]:
    return (c.a.tokens.ids, c.b.tokens.ids), (c.a.tokens.texts, c.b.tokens.texts)


def matrices(c: ev.Comparison) -> Figure:
    ids, texts = words(c)
    most = float(c.after.distances.max(initial=0)) or 1.0
    return copies_map(c.after.distances, c.shared, None, most, ids=ids, texts=texts)


def flat(c: ev.Comparison) -> Figure:
    return sum_scatter(scene(c), *words(c))


def trace(figure: Figure, name: str) -> dict:
    """The trace that is drawn under this name; the legend's own entry has no data."""
    (found,) = [t for t in figure.data if t.get("name") == name and not t["showlegend"]]
    return found


def points(coordinates: dict) -> np.ndarray:
    return np.stack([coordinates[axis] for axis in "xy"], axis=1)


@pytest.mark.parametrize("figure", [matrices, flat])
def test_plotly_knows_every_name_and_value(figure, c):
    drawn = figure(c)
    assert len(to_plotly(drawn).data) == len(drawn.data) > 0


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="colour"):
        to_plotly(Figure([{"type": "heatmap", "colour": "red"}], {}))


def test_distances_of_copies_stand_on_a_scale_from_zero(c):
    figure = matrices(c)
    (drawn,) = figure.data
    expected = np.where(c.shared, c.after.distances, np.nan).astype(np.float32)
    assert np.array_equal(drawn["z"], expected, equal_nan=True)
    assert drawn["meta"] == {"ids": c.a.tokens.ids, "column_ids": c.b.tokens.ids}
    largest = c.after.distances.max(initial=0)
    axis = figure.layout["coloraxis"]
    assert (axis["cmin"], axis["cmax"]) == (0, largest or 1)


def test_a_frame_marks_each_pair_that_shares_an_id(compared):
    c = compared(CAT, MAT)
    frames = matrices(c).layout["shapes"]
    centres = [((f["y0"] + f["y1"]) / 2, (f["x0"] + f["x1"]) / 2) for f in frames]
    np.testing.assert_allclose(centres, [(pair.i, pair.j) for pair in c.pairs], atol=1e-12)


def test_scatter_points_end_and_start_where_the_scene_says(c):
    s = scene(c)
    figure = sum_scatter(s, *words(c))
    for sentence, x in (("A", c.a), ("B", c.b)):
        tokens, inputs = (s.tokens_a, s.inputs_a) if sentence == "A" else (s.tokens_b, s.inputs_b)
        if not x.tokens.ids:
            assert f"{sentence}: input" not in [t.get("name") for t in figure.data]
            continue
        drawn = trace(figure, f"{sentence}: input")
        assert np.array_equal(points(drawn), inputs)
        assert np.array_equal(points(drawn["meta"]["start"]), tokens)
        assert drawn["meta"]["ids"] == x.tokens.ids


def test_scatter_draws_each_token_id_once(compared):
    c = compared(CAT, MAT)
    s = scene(c)
    drawn = trace(sum_scatter(s, *words(c)), "token")
    assert sorted(drawn["meta"]["ids"]) == sorted(set(c.a.tokens.ids))
    places = [c.a.tokens.ids.index(id_) for id_ in drawn["meta"]["ids"]]
    assert np.array_equal(points(drawn), s.tokens_a[places])
    assert drawn["text"] == [in_figure(c.a.tokens.texts[n]) for n in places]


def test_scatter_arrows_grow_from_the_tokens(c):
    s = scene(c)
    arrows = [t for t in sum_scatter(s, *words(c)).data if t["mode"].startswith("lines")]
    assert [arrow["showlegend"] for arrow in arrows] in ([False, False], [False, False, True])
    ends = (s.tokens_a, s.tokens_b), (s.inputs_a, s.inputs_b), (c.a.tokens.ids, c.b.tokens.ids)
    for arrow, tokens, inputs, ids in zip(arrows[:2], *ends, strict=True):
        end, start = points(arrow), points(arrow["meta"]["start"])
        assert np.array_equal(end[0::3], tokens)
        assert np.array_equal(end[1::3], inputs)
        assert np.array_equal(start[0::3], tokens)
        assert np.array_equal(start[1::3], tokens)
        assert np.isnan(end[2::3]).all()
        assert arrow["meta"]["ids"] == [id_ for id_ in ids for _ in range(3)]
        assert arrow["meta"]["also"][1::3] == [[f"@{n}"] for n in range(len(ids))]


def test_two_arrows_of_one_position_stand_out_and_are_the_same(c):
    s = scene(c)
    found = [t for t in flat(c).data if t["mode"].startswith("lines") and t["showlegend"]]
    different = [n for n, (a, b) in enumerate(zip(*c.ids, strict=False)) if a != b]
    if not different or not c.a.positional_embeddings.any():
        assert found == []
        return
    (both,) = found
    starts, ends = points(both)[0::3], points(both)[1::3]
    np.testing.assert_allclose(*(ends - starts), atol=1e-4 * np.abs(points(both)[:2]).max())
    at = int(both["meta"]["also"][0][0].removeprefix("@"))
    assert at in different
    assert np.array_equal(starts, [s.tokens_a[at], s.tokens_b[at]])
    assert np.array_equal(ends, [s.inputs_a[at], s.inputs_b[at]])
    lengths = [np.linalg.norm(s.inputs_a[n] - s.tokens_a[n]) for n in different]
    assert np.linalg.norm(ends[0] - starts[0]) == pytest.approx(max(lengths), rel=1e-4)
    assert both["name"] == f"position {at}: one arrow, twice"
    assert both["line"]["color"] == both["marker"]["color"] == "var(--accent)"
    assert both["marker"]["opacity"] == 1  # Plotly would make it paler, since its sizes differ
    order = [t["name"] if t.get("name") else "" for t in flat(c).data]
    assert order.index(both["name"]) > order.index("B: input")  # above the points
    [names] = [t for t in flat(c).data if t.get("text") == [f"+ position {at}"] * 2]
    np.testing.assert_allclose(points(names), (starts + ends) / 2, atol=1e-6)
    assert np.array_equal(points(names["meta"]["start"]), starts)
    for sentence in "AB":
        kind = trace(flat(c), f"{sentence}: input")
        grey = [colour == "var(--faint)" for colour in kind["textfont"]["color"]]
        assert grey == [n != at for n in range(len(grey))]


def test_scatter_axes_hold_every_point_at_every_moment(c):
    s = scene(c)
    layout = sum_scatter(s, *words(c)).layout
    for n, axis in enumerate(("xaxis", "yaxis")):
        low, high = layout[axis]["range"]
        shown = np.concatenate([s.tokens_a, s.tokens_b, s.inputs_a, s.inputs_b])[:, n]
        assert low < shown.min() <= shown.max() < high
        assert f"PC {n + 1} ({s.explained[n]:.0%}" in layout[axis]["title"]["text"]


def test_one_colour_for_each_id_everywhere(compared):
    c = compared(CAT, MAT)
    drawn = trace(flat(c), "B: input")
    colours = dict(zip(drawn["meta"]["ids"], drawn["marker"]["color"], strict=True))
    assert len(set(colours.values())) == 5
    axis = matrices(c).layout["yaxis"]
    for id_, name, label in zip(c.a.tokens.ids, axis["tickvals"], axis["ticktext"], strict=True):
        assert label == f'<span style="color:{colours[id_]}">{name}</span>'


def test_text_from_outside_is_escaped_in_every_string(compared):
    c = compared("<script>1</script>", "&lt;img>", tokenizer="words", output_dim=4)
    labels = [*matrices(c).data[0]["y"], *matrices(c).data[0]["x"], *trace(flat(c), "token")["text"]]
    labels += trace(flat(c), "A: input")["hovertext"]
    assert not any("<" in label or ">" in label for label in labels)
    assert in_figure("<script>1</script>") in trace(flat(c), "token")["text"]
    assert in_figure("<script>1</script>") == "\u2068&lt;script&gt;1&lt;/sc…\u2069"
