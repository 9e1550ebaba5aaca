"""The page "Relative", run as Streamlit runs it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.attention.one_head import SHIFTS, Sentence, all_scores, by_distance, shift_test
from embedviz.base.pages import page_at
from embedviz.positions import SCHEMES
from embedviz.vectors.embedding import tokenize_for
from tests.pages.site import programs, shown
from tests.pages.site import visit as open_page

CAT = "the cat sat on the mat"
# Those that need no model. T5's own has tests in test_t5.py.
VIEWS = [view for view in page_at("relative").views if view != "t5"]


def visit(**query) -> AppTest:
    at = open_page("relative", **query)
    assert not at.exception
    return at


def default(text: str = CAT, head: int = 0) -> Sentence:
    return Sentence(tokenize_for(text, ev.Spec()), ev.Spec(), head)


def test_the_grid_draws_every_scheme():
    grid = shown(visit(head="3"), "grid")
    expected = all_scores(default(head=2))
    assert [trace["name"] for trace in grid["data"]] == [scheme.title for scheme in SCHEMES.values()]
    for trace, scores in zip(grid["data"], expected.values(), strict=True):
        assert np.array_equal(trace["z"], scores)
    assert grid["layout"]["coloraxis"]["cmin"] == -grid["layout"]["coloraxis"]["cmax"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_takes_the_trained_vectors(view):
    at = visit(view=view, source="trained", tokenizer="o200k_base", output_dim="64")
    assert [message.value for message in at.error] == []


def test_the_grid_of_trained_vectors():
    spec = ev.Spec(source="trained")
    grid = shown(visit(source="trained"), "grid")
    for trace, scores in zip(
        grid["data"], all_scores(Sentence(tokenize_for(CAT, spec), spec, 0)).values(), strict=True
    ):
        assert np.array_equal(trace["z"], scores)


def test_the_seed_fills_the_matrices_of_trained_vectors_too():
    drawn = [shown(visit(source="trained", seed=seed), "grid")["data"][0]["z"] for seed in ("1", "2")]
    assert not np.array_equal(*drawn)


def test_a_word_that_the_trained_model_does_not_know_is_named():
    at = visit(source="trained", sentence="the zebra sat")
    assert "Not in the vocabulary: zebra" in at.error[0].value.replace("\\", "")


def test_gpt2s_own_vectors_meet_the_head(hub_server):
    spec = ev.Spec(source="gpt2")
    grid = shown(visit(source="gpt2"), "grid")
    expected = all_scores(Sentence(tokenize_for(CAT, spec), spec, 0))
    for trace, scores in zip(grid["data"], expected.values(), strict=True):
        assert np.array_equal(trace["z"], scores)


def test_the_shift_test_shows_its_numbers():
    at = visit(view="Shift test")
    changes = shift_test(default())
    rows = {row[0]: row[1:] for row in shown(at, "changes")["rows"]}
    assert rows["Learned"] == [f"{change:.3g}" for change in changes["learned"]]
    still = ", ".join(SCHEMES[name].title for name, change in changes.items() if not change.any())
    assert rows[still] == ["0"] * len(SHIFTS)
    assert {"None", "Shaw", "Transformer-XL", "T5", "DeBERTa", "ALiBi"} <= {*still.split(", ")}


def test_a_table_that_ended_says_so():
    at = visit(view="Shift test")
    at.number_input(key="context_length").set_value(40).run()
    rows = {row[0]: row[1:] for row in shown(at, "changes")["rows"]}
    assert rows["Learned"][-2:] == ["no row", "no row"]
    assert "The learned table ends at 40" in [card["title"] for card in shown(at, "about_shift")["cards"]]


@pytest.mark.parametrize(
    ("view", "key"),
    [("By distance", "distance"), ("Longer texts", "strips"), ("Which one", "schemes"), ("Scores", "grid")],
)
def test_every_view_has_its_picture_and_its_program(view, key):
    at = visit(view=view)
    assert shown(at, key)
    assert "import torch" in programs(at)[0]
    assert len(at.get("bidi_component")) <= 5  # with the ones that share and say why it matters


def test_schemes_are_counted_from_the_registry_and_none_is_one_of_them():
    at = visit()
    assert any(f"Positions in {len(SCHEMES)} ways" in each.value for each in at.caption)
    assert shown(at, "grid")["data"][0]["name"] == SCHEMES["none"].title


def test_a_scheme_more_needs_its_record_alone(monkeypatch):
    monkeypatch.setitem(SCHEMES, "more", replace(SCHEMES["alibi"], name="more", title="One more"))
    grid = shown(visit(), "grid")
    assert [trace["name"] for trace in grid["data"]] == [scheme.title for scheme in SCHEMES.values()]
    assert grid["data"][-1]["name"] == "One more"
    changes = shown(visit(view="shift"), "changes")["rows"]
    assert "One more" in [name for row in changes for name in row[0].split(", ")]
    for view, key in (("lengths", "reaches"), ("schemes", "schemes")):
        assert shown(visit(view=view), key)["rows"][-1][0] == "One more"


def test_costs_say_what_a_model_pays_once():
    (caption,) = (each.value for each in visit(view="schemes").caption if "Parameters" in each.value)
    assert "a model of 12 layers over 1,024 tokens of 768 dimensions with 12 heads" in caption
    assert "Added once, before the first layer: Learned, Sinusoidal. One table for all layers: T5, DeBERTa." in caption


def test_t5_is_drawn_as_what_it_adds_and_not_as_the_numbers_of_its_buckets():
    data = shown(visit(view="distance"), "distance")["data"]
    (drawn,) = (trace["y"] for trace in data if trace["name"] == "T5")
    assert np.array_equal(drawn, by_distance(default(), 160).t5)


def test_by_distance_draws_one_curve_of_rope_beside_none():
    data = shown(visit(view="distance"), "distance")["data"]
    found = by_distance(default(), 160)
    drawn = {trace["name"]: trace["y"] for trace in data if trace["yaxis"] == "y"}
    assert list(drawn) == ["None", "RoPE"]
    assert np.array_equal(drawn["RoPE"], found.rope)
    assert np.array_equal(drawn["None"], found.none)


def test_the_alternative_of_rope_says_up_and_down():
    alt = shown(visit(view="distance"), "distance")["alt"]
    rises = sum(after > before for before, after in pairwise(by_distance(default(), 160).rope.tolist()))
    assert 50 < rises < 270
    assert f"rises in {rises} of 320 steps" in alt
    assert "RoPE falls" not in alt


def test_every_scheme_leads_to_a_view():
    found = shown(visit(view="Which one"), "schemes")
    assert [row[0] for row in found["rows"]] == [s.title for s in SCHEMES.values()]
    assert all(len(row) == len(found["columns"]) - 1 == len(found["rows"][0]) for row in found["rows"])
    for scheme, links in zip(SCHEMES.values(), found["links"], strict=True):
        (link,) = links
        page, view = scheme.seen_in.split("/")
        views = page_at(page).views
        first = next(iter(views))
        assert (link["address"], link["query"]) == (page, "view=" if view == first else f"view={view}")
        assert link["text"] == (views[view] if page == "relative" else f"{page_at(page).title}: {views[view]}")
        at = open_page(page, view=view)
        assert not at.exception
        assert at.segmented_control(key="view").value == view


def test_rope_leads_to_its_own_page_and_none_to_the_models_that_leave_positions_out():
    found = shown(visit(view="schemes"), "schemes")
    links = {row[0]: link["text"] for row, (link,) in zip(found["rows"], found["links"], strict=True)}
    assert links["RoPE"] == "RoPE: Pairs turn"
    assert links["None"] == "Models: Layer by layer"
    assert links["ALiBi"] == "Longer texts"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "query",
    [
        {"head": "0"}, {"head": "99"}, {"seed": "inf"}, {"output_dim": "x"}, {"reach": "0"}, {"trained": "-1"},
        {"used": "1e9"}, {"context_length": "1"}, {"tokenizer": "words"},
        {"sentence": "<script>alert(1)</script> **x** $y$ &lt;"},
    ],
    ids=str,
)  # fmt: skip
def test_hostile_addresses_fall_back(view, query):
    at = visit(view=view, **query)
    assert [element.value for element in at.error if "is out of range. Take" not in element.value] == []


@pytest.mark.parametrize("view", ["Nothing", ""])
def test_a_view_that_is_none_falls_back(view):
    assert [element.value for element in visit(view=view).error] == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"head": "99"}, "Head: 99 is out of range. Take 1 to 8; 1 stays in use."),
        ({"view": "Longer texts", "trained": "-1"}, "Trained on (tokens): -1 is out of range."),
        ({"view": "By distance", "reach": "0"}, "Up to distance: 0 is out of range."),
    ],
)
def test_a_number_out_of_range_gets_a_message(query, message):
    assert message in visit(**query).error[0].value


@pytest.mark.parametrize(
    ("output_dim", "message"),
    [(20, "Take a multiple of 16, such as 16."), (56, "Take a multiple of 16, such as 48.")],
)
@pytest.mark.parametrize("view", ["Scores", "Longer texts"])
def test_heads_that_do_not_fit_are_a_message(view, output_dim, message):
    at = visit(view=view)
    at.number_input(key="output_dim").set_value(output_dim).run()
    assert not at.exception
    assert message in at.error[0].value.replace("\\", "")


def test_an_empty_sentence_is_a_message():
    assert "The sentence is empty" in visit(sentence="").info[0].value


def test_a_long_sentence_is_cut_and_the_page_says_so():
    at = visit(sentence=" ".join(["cat"] * 100))
    assert "the first 64 are used" in at.warning[0].value
    assert shown(at, "grid")["data"][0]["z"].shape == (64, 64)


def test_user_text_is_escaped_in_figures():
    at = visit(view="By distance", sentence="<b>x")
    titles = [note["text"] for note in shown(at, "distance")["layout"]["annotations"]]
    assert any("&lt;" in title for title in titles)
    assert not any("<b>" in title for title in titles)
