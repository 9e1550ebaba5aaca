"""The views "turn", "layouts" and "distance" of the page "RoPE", run as Streamlit runs them."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedviz.positions import rope_pairs
from pages.rope import pair_words as words
from tests.pages.site import programs, shown
from tests.pages.site import visit as open_page


def visit(view: str, **query: str) -> AppTest:
    at = open_page("rope", view=view, **query)
    assert not at.exception
    return at


def said(at: AppTest, key: str) -> dict[str, str]:
    return {card["title"]: card["text"] for card in shown(at, key)["cards"]}


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in re.findall(r"[−-]?\d+(?:\.\d+)?(?:e-\d+)?", text)]


def asides(drawn: dict) -> list[str]:
    """What is said beside each clock."""
    layout = drawn["layout"]
    return [layout["annotations"][n]["text"] for n in layout["meta"]["roles"]["aside"]]


def test_the_clocks_show_their_pairs():
    at = visit("turn", query_at="20", key_at="3", both_at="100")
    found, drawn = rope_pairs.clocks(20, 3, 100), shown(at, "clocks")
    beside = asides(drawn)
    assert len(beside) == 8
    for n, text in enumerate(beside):
        _pair, turns, angle, share = text.split("<br>")
        assert numbers(turns.replace(",", "")) == [pytest.approx(2 * np.pi * 10000 ** (n / 8), rel=0.01)]
        assert numbers(angle) == [round(float(found.angles[n]))]
        assert numbers(share) == [pytest.approx(float(found.shares[n]), abs=5.1e-4)]
    assert f"Score {found.score:.4f}".replace("-", "−") in said(at, "about_clocks")
    assert "position 120 and the key at 103" in drawn["alt"]
    assert "seed 184" in at.caption[1].value
    assert "torch.manual_seed(184)" in programs(at)[0]


def test_in_large_type_the_clocks_say_their_angles_below():
    drawn = shown(visit("turn"), "clocks")
    found = rope_pairs.clocks(12, 8, 0)
    said = [numbers(text.replace("<b>", "")) for text in drawn["layout"]["meta"]["shorts"].values()]
    pairs = enumerate(zip(found.angles.tolist(), found.shares.tolist(), strict=True))
    assert said == [[n, round(angle), round(share, 3)] for n, (angle, share) in pairs]


def test_moving_both_leaves_what_is_said_of_the_pairs():
    one, two = (asides(shown(visit("turn", both_at=by), "clocks")) for by in ("0", "511"))
    assert one == two


def test_what_is_said_of_the_score_follows_from_it():
    found = rope_pairs.clocks(12, 8, 5)
    score, same, fast = words.about_clocks(found)
    assert numbers(score.title) == [round(found.score, 4)]
    assert numbers(score.text) == [8, 17, 13, -4, round(found.beside, 4)]
    assert (same.tone, numbers(same.text)[:2]) == ("same", [0, 512])
    assert numbers(same.text)[2] == pytest.approx(found.change, rel=0.01)
    assert "turns by 57.3°. Pair 7 turns by 0.018°: once around in 19,869 positions" in fast.text


@pytest.mark.parametrize("query", [{"query_at": "-1"}, {"key_at": "65"}, {"both_at": "x"}, {"query_at": "inf"}])
def test_hostile_places_fall_back(query):
    assert shown(visit("turn", **query), "clocks")


@pytest.mark.parametrize(
    ("order", "rule", "who"),
    [
        ("half", "Halves: 0 with 4, 1 with 5, …", "GPT-NeoX"),
        ("interleaved", "Interleaved: 0 with 1, 2 with 3, …", "GPT-J"),
    ],
)
def test_both_orders_and_what_a_mix_up_does(order, rule, who):
    at = visit("layouts", pair_order=order)
    found, cards = rope_pairs.layout_scores(order), said(at, "about_orders")
    assert who in cards[rule]
    assert numbers(cards["Permuted: the same scores"])[0] == pytest.approx(found.renamed_apart, rel=0.01)
    mixed = numbers(cards["Mixed up: other scores, and no error"])
    assert mixed[:4] == [pytest.approx(found.mixed_apart, abs=0.0051), found.others_first, 6, 100]
    assert mixed[4] == pytest.approx(found.mixed_shift, rel=0.01)
    for trace, scores in zip(shown(at, "order_scores")["data"], (found.own, found.renamed, found.mixed), strict=True):
        assert np.array_equal(trace["z"], scores)
    above, below = (trace["text"] for trace in shown(at, "pair_cells")["data"] if trace["mode"] == "text")
    assert above == [f"<b>{n}</b>" for n in range(8)]
    assert below == [f"<b>{n}</b>" for n in rope_pairs.permutation(8, order)]
    assert rule in shown(at, "pair_cells")["alt"]
    assert f'own, other = "{order}"' in programs(at)[0]


@pytest.mark.parametrize(
    ("view", "conditions"),
    [("layouts", ("6 queries and 6 keys of 8", "seed 0", "positions 0 to 5", "√8")), ("distance", ("√64", "seed 0"))],
)
def test_how_the_vectors_are_made_is_said_below_the_picture(view, conditions):
    caption = visit(view).caption[1].value
    assert all(condition in caption for condition in conditions)
    assert len(visit(view, present="1").caption) == 1


def test_random_vectors_are_about_as_long_as_those_of_ones():
    lengths = np.linalg.norm(rope_pairs._normal(2000, 64, 0), axis=1)
    assert abs(lengths.mean() - 8) < 0.1


def test_an_unknown_order_falls_back():
    assert "Halves: 0 with 4, 1 with 5, …" in said(visit("layouts", pair_order="quarters"), "about_orders")


@pytest.mark.parametrize("reach", [1, 10, 40, 256, 512])
def test_near_and_far_shows_and_says_its_numbers(reach):
    at = visit("distance", reach=str(reach))
    found, cards = rope_pairs.near_and_far(reach), said(at, "about_near_and_far")
    ones, preferred, *single, above, below, mean = (trace["y"] for trace in shown(at, "near_and_far")["data"])
    for drawn, values in ((ones, found.ones), (preferred, found.preferred), (mean, found.mean)):
        assert np.array_equal(drawn, values)
    assert np.array_equal(np.stack(single), found.single)
    assert np.array_equal((above, below), (found.mean + found.spread, found.mean - found.spread))
    ends = [0, *([16] if reach > 16 else []), reach]
    begin = [number for at in ends for number in (round(float(found.ones[at]), 2), at)]
    rises = sum(b > a for a, b in zip(found.ones[:-1], found.ones[1:], strict=True))
    assert numbers(cards["All ones: lower, in waves" if rises else "All ones: lower"]) == begin + (
        [rises, reach] if rises else []
    )
    ends = [[round(float(end), 2) for end in (each.min(), each.max())] for each in (found.mean, found.spread)]
    spans = [number for low, high in ends for number in ((low,) if low == high else (low, high))]
    assert numbers(cards["Random vectors: no fading"].replace(",", "")) == [1000, *spans, 3]
    assert ("A key can ask for a distance" in cards) == (reach >= 40)
    if reach >= 40:
        assert numbers(cards["A key can ask for a distance"]) == [40, 40, 8, round(float(found.preferred[0]), 2), 0]


def test_a_distance_out_of_range_gets_a_message():
    assert "Up to distance: 0 is out of range." in visit("distance", reach="0").error[0].value
