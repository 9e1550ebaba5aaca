"""The view "turn" of the page "RoPE" with a random query and key, run as Streamlit runs it."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from transformers import GPTNeoXConfig

from embedviz.positions import rope_pairs
from pages.rope import pair_words as words
from tests.pages.site import headlines, programs, shown
from tests.pages.site import visit as open_page


def visit(view: str, **query: str) -> AppTest:
    at = open_page("rope", view=view, pair_of="random", **query)
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
        _pair, angle, turns, share = text.split("<br>")
        assert numbers(turns.replace(",", "")) == [pytest.approx(2 * np.pi * 10000 ** (n / 8), rel=0.01)]
        assert numbers(angle) == [round(float(found.unmoved_angles[n])), round(float(found.angles[n]))]
        assert numbers(share) == [pytest.approx(float(found.shares[n]), abs=5.1e-4)]
    assert f"Score {found.score:.4f}".replace("-", "−") in said(at, "about_turn")
    assert "position 120 and the key at 103" in drawn["alt"]
    assert "seed 184" in at.caption[1].value
    assert "torch.manual_seed(184)" in programs(at)[0]


def test_before_both_move_a_clock_says_one_angle():
    found = rope_pairs.clocks(20, 3, 0)
    drawn = shown(visit("turn", query_at="20", key_at="3", both_at="0"), "clocks")
    angles = [numbers(text.split("<br>")[1]) for text in asides(drawn)]
    assert angles == [[round(angle)] for angle in found.angles.tolist()]


def test_in_large_type_the_clocks_say_their_angles_below():
    drawn = shown(visit("turn"), "clocks")
    found = rope_pairs.clocks(12, 8, 16)
    said = [numbers(text.replace("<b>", "")) for text in drawn["layout"]["meta"]["shorts"].values()]
    assert said == [[n, round(angle)] for n, angle in enumerate(found.angles.tolist())]


@pytest.mark.parametrize("both_at", [0, 30])
def test_pale_hands_stay_where_both_stood_and_the_headline_says_that_angles_and_score_stay(both_at):
    at, unmoved = visit("turn", both_at=str(both_at)), rope_pairs.clocks(12, 8, 0)
    drawn = shown(at, "clocks")["data"]
    pale = [trace for trace in drawn if "opacity" in trace]
    assert len(pale) == (16 if both_at else 0)
    rim = max(np.linalg.norm(hands[-1], axis=1).max() for hands in (unmoved.queries, unmoved.keys))
    for n, (query, key) in enumerate(zip(pale[::2], pale[1::2], strict=True)):
        for trace, hands in ((query, unmoved.queries), (key, unmoved.keys)):
            np.testing.assert_allclose([trace[axis][1] for axis in "xy"], hands[-1][n] / rim, atol=1e-6)
            assert "meta" not in trace  # it does not move
    scores = [note["text"] for note in shown(at, "clocks")["layout"]["annotations"] if "Score" in note["text"]]
    assert scores == (["<b>Score before: 1.52 = after: 1.52</b>"] if both_at else [])
    headline = f"When both move by 30, the angles and the score of {unmoved.score:.2f} stay"
    [said] = headlines(at).values()
    assert said == (headline if both_at else "If both move together, the angles between the hands and the score stay")


def test_a_score_is_made_of_angles_and_lengths_and_both_stay():
    """As the lesson on RoPE says: the same angles between hands of other lengths make another score."""
    found, later = rope_pairs.clocks(12, 8, 0), rope_pairs.clocks(12, 8, 40)
    scores = []
    for each in (found, later):
        lengths = [np.linalg.norm(hands[-1], axis=-1) for hands in (each.queries, each.keys)]
        shares = lengths[0] * lengths[1] * np.cos(np.radians(each.angles)) / np.sqrt(2 * len(each.angles))
        scores.append([shares.sum(), *lengths[0], *lengths[1], *each.angles])
        assert shares.sum() == pytest.approx(each.score, abs=1e-5)
    assert scores[0] == pytest.approx(scores[1], abs=1e-3)
    assert len({round(float(length), 2) for length in scores[0][1:9]}) > 1  # so lengths count


def test_moving_both_leaves_what_is_said_of_the_pairs():
    one, two = (asides(shown(visit("turn", both_at=by), "clocks")) for by in ("0", "511"))
    assert one == [re.sub(r"angle (\S+) → \1<", r"angle \1<", text) for text in two] != two


def test_what_is_said_of_the_score_follows_from_it():
    found = rope_pairs.clocks(12, 8, 5)
    same, score, fast = words.about_clocks(found)
    assert numbers(score.title) == [round(found.score, 4)]
    assert numbers(score.text) == [8, 17, 13, -4, round(found.beside, 4)]
    assert (same.tone, numbers(same.text)[:2]) == ("same", [0, 512])
    assert numbers(same.text)[2] == pytest.approx(found.change, rel=0.01)
    assert "turns by 57.3°. Pair 7 turns by 0.018°: once around in 19,869 positions" in fast.text


@pytest.mark.parametrize("query", [{"query_at": "-1"}, {"key_at": "65"}, {"both_at": "x"}, {"query_at": "inf"}])
def test_hostile_places_fall_back(query):
    assert shown(visit("turn", **query), "clocks")


def test_both_tokens_move_to_their_place_when_the_page_comes():
    drawn = shown(visit("turn", query_at="1", key_at="0", both_at="5"), "clocks")
    assert (drawn["layout"]["meta"]["plays"], drawn["layout"]["meta"]["frames"]) == (3.0, 6)
    rim = max(np.hypot(trace["x"][1], trace["y"][1]) for trace in drawn["data"] if trace["name"] in ("query", "key"))
    assert rim == pytest.approx(1)
    queries = [trace for trace in drawn["data"] if trace["name"] == "query"]
    for shift in range(6):
        found = rope_pairs.clocks(1, 0, shift)
        tips = [np.array([trace["meta"]["frames"][axis][shift][1] for axis in "xy"]) for trace in queries]
        angles = [np.arctan2(tip[1], tip[0]) for tip in tips]
        np.testing.assert_allclose(angles, np.arctan2(*found.queries[-1].T[::-1]), atol=1e-5)
    opened, found = shown(visit("turn", both_at="0"), "clocks"), rope_pairs.clocks(12, 8, 0)
    assert opened["layout"]["meta"]["frames"] == 17
    usual, hall = (visit("turn", **more).slider(key="both_at").value for more in ({}, {"present": "1"}))
    assert (usual, hall) == (30, 0)
    way, drawn_at = opened["data"][2]["meta"]["frames"]["x"], opened["data"][2]["x"]
    assert np.array_equal(way[-1], drawn_at)
    assert not np.array_equal(way[0], drawn_at)
    assert (found.query_at, found.key_at) == (12, 8)  # as the sliders say
    assert np.sign(drawn_at[1]) == np.sign(found.queries[-1][0, 0])
    assert shown(visit("turn", both_at="500"), "clocks")["layout"]["meta"]["frames"] == rope_pairs.MAX_WAY + 1


def test_below_the_clocks_stands_which_dimensions_make_a_pair_in_real_models():
    layouts = visit("turn").caption[2].value.replace("\\", "")
    assert "A checkpoint that is read with the other layout gives wrong scores, and no error." in layouts
    neox = GPTNeoXConfig(hidden_size=6144, num_attention_heads=64)  # as in config.json of GPT-NeoX-20B
    head_dim = neox.hidden_size // neox.num_attention_heads
    turned = int(head_dim * neox.rope_parameters["partial_rotary_factor"])
    assert f"GPT-NeoX-20B turns {turned} of {head_dim} in each head" in layouts
    assert "GPT-NeoX" not in " ".join(each.value for each in visit("turn", present="1").caption)


def test_random_vectors_are_about_as_long_as_those_of_ones():
    lengths = np.linalg.norm(rope_pairs.normal_vectors(2000, 64, 0), axis=1)
    assert abs(lengths.mean() - 8) < 0.1
