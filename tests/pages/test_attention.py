"""The page "Attention", run without a browser."""

import numpy as np
import pytest

from embedviz.positions import SCHEMES
from tests.pages.site import messages, shown, visit


def titles(at) -> list[str]:
    return [card["title"] for card in shown(at, "about_attention")["cards"]]


def test_the_default_page_shows_the_three_claims():
    at = visit("attention")
    assert not at.exception
    assert titles(at) == [
        "No positions, no mask: 8 of 8 the same",
        "Learned, no mask: 0 of 8 the same",
        "Causal mask, no positions: 0 of 8 the same",
    ]
    a, b, distances = (trace["z"] for trace in shown(at, "maps")["data"])
    assert a.shape == b.shape == distances.shape == (6, 6)
    assert np.allclose(a.sum(axis=1), 1, atol=1e-6)
    assert shown(at, "outputs")["data"][0]["z"].shape == (13, 256)


@pytest.mark.parametrize("position", list(SCHEMES))
def test_every_scheme_can_be_chosen(position):
    at = visit("attention", position=position, causal="true")
    assert not at.exception
    assert messages(at) == []
    name = "No positions" if position == "none" else SCHEMES[position].title
    assert titles(at)[1].startswith(f"{name}, causal mask")


def test_a_scale_of_zero_is_no_positions():
    card = shown(visit("attention", position_scale="0.0"), "about_attention")["cards"][1]
    assert card["title"] == "No positions, no mask: 8 of 8 the same"
    assert "mean" not in card["text"]


def test_a_head_that_is_no_longer_there_gives_way_to_the_last():
    at = visit("attention", head="4")
    at.number_input(key="n_heads").set_value(2).run()
    assert not at.exception
    weights = shown(visit("attention", n_heads="2", head="2"), "maps")["data"][0]["z"]
    assert np.array_equal(shown(at, "maps")["data"][0]["z"], weights)


def test_masked_cells_hold_no_weight():
    weights = shown(visit("attention", causal="true"), "maps")["data"][0]["z"]
    assert np.array_equal(np.isnan(weights), ~np.tri(6, dtype=bool))


def test_another_head_has_other_weights():
    first, second = (shown(visit("attention", head=head), "maps")["data"][0]["z"] for head in ("1", "2"))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"n_heads": "3"}, "n_heads must divide output_dim; 256 dimensions do not go into 3 heads. Try n_heads 2."),
        ({"n_heads": "0"}, "Heads: 0 is out of range. Take 1 to 64; 4 stays in use."),
        ({"head": "5"}, "Head: 5 is out of range. Take 1 to 4; 1 stays in use."),
        ({"position": "rope", "output_dim": "12"}, "RoPE turns dimensions in pairs"),
        ({"a": "", "b": "the"}, "Sentence A is empty: type a few words."),
        ({"a": "the " * 69 + "the"}, "70 tokens are too many to show; the first 64 are used."),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    at = visit("attention", **query)
    assert not at.exception
    assert any(message in each for each in messages(at))


@pytest.mark.parametrize(
    "query",
    [
        {"a": "<script>alert(1)</script> **x** $x^2$", "b": "\x00 \u202e 🐈"},
        {"causal": "maybe", "n_heads": "inf", "head": "nan", "position": "rotary"},
        {"a": "", "b": ""},
        {"a": "cat", "b": "dog"},
    ],
)
def test_hostile_addresses_are_no_error(query):
    assert not visit("attention", **query).exception


def test_the_seed_fills_the_matrices_of_trained_vectors_too():
    pages = [visit("attention", source="trained", seed=seed) for seed in ("1", "2")]
    assert [page.number_input(key="seed").value for page in pages] == [1, 2]
