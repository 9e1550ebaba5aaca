"""Figures: Plotly knows every name and value, and the rows and points are the ones they say."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.figures.distances import distance_matrices
from embedviz.figures.figure import Figure
from embedviz.figures.heatmaps import sum_heatmaps
from embedviz.figures.scatter import sum_scatter
from embedviz.text.visible import in_figure
from embedviz.vectors.projection import scene

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


def parts(embedded: ev.Embedded) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings


def heatmaps(c: ev.Comparison) -> Figure:
    return sum_heatmaps(parts(c.a), parts(c.b), *words(c))


def matrices(c: ev.Comparison) -> Figure:
    return distance_matrices(c.before.distances, c.after.distances, c.shared, *words(c))


def flat(c: ev.Comparison) -> Figure:
    return sum_scatter(scene(c, 2), *words(c))


def deep(c: ev.Comparison) -> Figure:
    return sum_scatter(scene(c, 3), *words(c))


def trace(figure: Figure, name: str) -> dict:
    """The trace that is drawn under this name; the legend's own entry has no data."""
    (found,) = [t for t in figure.data if t.get("name") == name and not t["showlegend"]]
    return found


def points(coordinates: dict) -> np.ndarray:
    return np.stack([coordinates[axis] for axis in "xyz" if axis in coordinates], axis=1)


@pytest.mark.parametrize("figure", [heatmaps, matrices, flat, deep])
def test_plotly_knows_every_name_and_value(figure, c):
    drawn = figure(c)
    assert len(drawn.to_plotly().data) == len(drawn.data) > 0


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="colour"):
        Figure([{"type": "heatmap", "colour": "red"}], {}).to_plotly()


def test_heatmap_rows_are_a_above_b(c):
    n_a, n_b = len(c.a.tokens), len(c.b.tokens)
    gap = 1 if n_a and n_b else 0
    tokens = [*c.a.tokens.ids, *[None] * gap, *c.b.tokens.ids]
    positions = [*(f"@{n}" for n in range(n_a)), *[None] * gap, *(f"@{n}" for n in range(n_b))]
    pointed = [tokens, positions, tokens], [positions, tokens, positions]  # the IDs of each panel, and what goes along
    for panel, a, b, ids, along in zip(heatmaps(c).data, parts(c.a), parts(c.b), *pointed, strict=True):
        assert panel["z"].shape == (n_a + gap + n_b, c.a.spec.output_dim)
        assert np.array_equal(panel["z"][:n_a], a)
        assert np.array_equal(panel["z"][n_a + gap :], b)
        assert np.isnan(panel["z"][n_a : n_a + gap]).all()
        assert (panel["meta"]["ids"], panel["meta"]["also"]) == (ids, [[each] for each in along])
        assert len(set(panel["y"])) == len(panel["y"]) == len(panel["z"])


def test_heatmap_rows_are_named_by_sentence_position_and_token(compared):
    names = heatmaps(compared("the cat", "cat")).data[0]["y"]
    assert names == [f"A0 {in_figure(' the')}", f"A1 {in_figure(' cat')}", " ", f"B0 {in_figure(' cat')}"]


def test_heatmap_colours_are_symmetric_about_zero(c):
    axis = heatmaps(c).layout["coloraxis"]
    values = np.abs(np.concatenate([rows.ravel() for x in (c.a, c.b) for rows in parts(x)]))
    assert axis["cmin"] == -axis["cmax"] < axis["cmid"] == 0
    assert axis["cmax"] == pytest.approx(np.percentile(values, 99), rel=1e-5)


def test_the_third_panel_starts_as_the_first(compared):
    first, second, third = heatmaps(compared(CAT, MAT)).data
    assert third["meta"]["start_trace"] == 0
    assert "start_trace" not in first["meta"] | second["meta"]


def test_distance_matrices_share_one_scale_from_zero(c):
    figure = matrices(c)
    before, after = figure.data
    assert np.array_equal(before["z"], c.before.distances.astype(np.float32))
    assert np.array_equal(after["z"], c.after.distances.astype(np.float32))
    assert before["meta"] == after["meta"] == {"ids": c.a.tokens.ids, "column_ids": c.b.tokens.ids}
    largest = max(c.before.distances.max(initial=0), c.after.distances.max(initial=0))
    axis = figure.layout["coloraxis"]
    assert (axis["cmin"], axis["cmax"]) == (0, largest or 1)


def test_a_frame_marks_each_pair_that_shares_an_id(compared):
    c = compared(CAT, MAT)
    frames = matrices(c).layout["shapes"]
    for x in ("x", "x2"):
        centres = [((f["y0"] + f["y1"]) / 2, (f["x0"] + f["x1"]) / 2) for f in frames if f["xref"] == x]
        np.testing.assert_allclose(centres, [(pair.i, pair.j) for pair in c.pairs], atol=1e-12)


@pytest.mark.parametrize("n", [2, 3])
def test_scatter_points_end_and_start_where_the_scene_says(n, c):
    s = scene(c, n)
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


@pytest.mark.parametrize("n", [2, 3])
def test_scatter_draws_each_token_id_once(n, compared):
    c = compared(CAT, MAT)
    s = scene(c, n)
    drawn = trace(sum_scatter(s, *words(c)), "token")
    assert sorted(drawn["meta"]["ids"]) == sorted(set(c.a.tokens.ids))
    places = [c.a.tokens.ids.index(id_) for id_ in drawn["meta"]["ids"]]
    assert np.array_equal(points(drawn), s.tokens_a[places])
    assert drawn["text"] == [in_figure(c.a.tokens.texts[n]) for n in places]


@pytest.mark.parametrize("n", [2, 3])
def test_scatter_arrows_grow_from_the_tokens(n, c):
    s = scene(c, n)
    arrows = [t for t in sum_scatter(s, *words(c)).data if t["mode"].startswith("lines")]
    assert len(arrows) == 2
    ends = (s.tokens_a, s.tokens_b), (s.inputs_a, s.inputs_b), (c.a.tokens.ids, c.b.tokens.ids)
    for arrow, tokens, inputs, ids in zip(arrows, *ends, strict=True):
        end, start = points(arrow), points(arrow["meta"]["start"])
        assert np.array_equal(end[0::3], tokens)
        assert np.array_equal(end[1::3], inputs)
        assert np.array_equal(start[0::3], tokens)
        assert np.array_equal(start[1::3], tokens)
        assert np.isnan(end[2::3]).all()
        assert arrow["meta"]["ids"] == [id_ for id_ in ids for _ in range(3)]
        assert arrow["meta"]["also"][1::3] == [[f"@{n}"] for n in range(len(ids))]


def test_scatter_positions_grow_from_the_origin_and_are_left_out_without(compared):
    s = scene(compared(CAT, MAT))
    drawn = trace(flat(compared(CAT, MAT)), "position")
    assert np.array_equal(points(drawn), s.positions)
    assert np.array_equal(points(drawn["meta"]["start"]), np.tile(s.origin, (6, 1)))
    assert drawn["meta"]["ids"] == [f"@{n}" for n in range(6)]
    assert drawn["meta"]["also"] == [[262, 319], [3797, 262], [3332, 2603], [319, 262], [262, 3797], [2603, 3332]]
    without = compared(CAT, MAT, position="none")
    assert "position" not in [t.get("name") for t in flat(without).data]


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
    axis = heatmaps(c).layout["yaxis"]
    for id_, name, label in zip([*c.a.tokens.ids, *c.b.tokens.ids], axis["tickvals"], axis["ticktext"], strict=True):
        assert label == f'<span style="color:{colours[id_]}">{name}</span>'


def test_text_from_outside_is_escaped_in_every_string(compared):
    c = compared("<script>1</script>", "&lt;img>", tokenizer="words", output_dim=4)
    labels = [*heatmaps(c).data[0]["y"], *matrices(c).data[0]["x"], *trace(flat(c), "token")["text"]]
    labels += trace(flat(c), "A: input")["hovertext"]
    assert not any("<" in label or ">" in label for label in labels)
    assert in_figure("<script>1</script>") in trace(flat(c), "token")["text"]
    assert in_figure("<script>1</script>") == "\u2068&lt;script&gt;1&lt;/sc…\u2069"
