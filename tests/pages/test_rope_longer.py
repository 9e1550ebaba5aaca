"""The view "Longer than trained" of the page RoPE."""

import re

import numpy as np
import pytest

from embedviz.attention.rope_reach import SCALINGS, Region, stretched, turning
from embedviz.programs.schemes import rope as export
from embedviz.teaching.lessons import lessons
from pages.rope.longer_words import REGIONS
from tests.pages.site import findings, messages, programs, shown, visit

USUAL = {"head_dim": 128, "base": 10_000, "trained": 4096, "used": 16_384}


def view(**query: object):
    at = visit("rope", view="longer", **{key: str(value) for key, value in query.items()})
    assert not at.exception
    return at


def texts(at) -> list[tuple[str, str]]:
    return [(card["title"], card["text"]) for card in findings(at, "about_longer")]


def numbers(text: str) -> list[float]:
    return [float(each.replace(",", "")) for each in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


@pytest.mark.parametrize("name", SCALINGS)
def test_the_angles_of_all_pairs_are_drawn_in_training_and_now(name):
    at = view(scaling=name)
    found = stretched(name, 1 if name == "none" else 4, **USUAL)
    assert messages(at) == []
    trained, used = shown(at, "longer")["data"]
    moves = found.after > 0
    np.testing.assert_allclose(trained["y"], found.turns_trained, rtol=1e-6)
    np.testing.assert_allclose(np.array(used["y"], float)[moves], found.turns_used[moves], rtol=1e-6)
    assert np.isnan(np.array(used["y"], float)[~moves]).all()
    new = [n for n, colour in enumerate(used["marker"]["color"]) if colour == "var(--new-angle)"]
    assert new == np.flatnonzero(found.new).tolist()
    words = [note["text"] for note in shown(at, "longer")["layout"]["annotations"]]
    assert words[-2:] == ["trained:<br>4,096 tokens", "used:<br>16,384 tokens"]
    assert ("in training:<br>no full circle" in words) == bool(new) == (name == "none")
    assert [field.key for field in at.number_input].count("factor") == (name != "none")  # which has none
    assert programs(at)[0] == export.pytorch_longer(name, found.factor, **USUAL).strip()


def test_it_opens_before_a_scaling_and_says_how_many_pairs_meet_new_angles():
    new, base = texts(view())
    assert new[0] == "18 pairs meet angles they never saw"
    assert "only a test shows whether the model copes" in new[1]
    assert base[0] == "Base 10,000: 46 of 64 pairs go full circle"
    waves = [round(float(turning(each, 128, 4096).wavelengths[-1])) for each in (500_000, 10_000)]
    assert numbers(base[1]) == [4096, 500_000, waves[0], 10_000, waves[1]]
    assert numbers(texts(view(base=500))[1][1])[1::2] == [10_000, 500]


def test_the_lessons_say_the_same_of_the_same_text():
    found = stretched("none", 1, **USUAL)
    said = f"{found.new.sum()} of its {len(found.new)} pairs meet"
    told = [each.answer for name in ("longer-than-trained", "rope-in-20-minutes") for each in lessons()[name].stations]
    told = [answer for answer in told if said in answer]
    assert len(told) == 2
    full = turning(USUAL["base"], USUAL["head_dim"], USUAL["trained"]).n_full
    assert f"The {full} pairs that went full circle in training meet none." in told[0]


def test_the_lesson_says_where_the_last_position_stands_once_it_is_divided():
    """By three quarters of a position, linear scaling leads past the training: less than a pair that is new has."""
    used, trained = USUAL["used"], USUAL["trained"]
    found = stretched("linear", 4, **USUAL)
    past = found.turns_used / found.turns_trained * (trained - 1)
    assert np.allclose(past, (used - 1) / 4, atol=1e-2)
    assert not found.new.any()
    told = f"the last one counts as {(used - 1) / 4:,.2f}, hardly more than the {trained - 1:,} of the training"
    assert told in lessons()["longer-than-trained"].stations[2].answer
    yarn = stretched("yarn", 4, **USUAL)
    part = yarn.turns_trained < 1  # whoever went full circle has shown all angles
    ahead = (yarn.turns_used / yarn.turns_trained * (trained - 1))[part] - (trained - 1)
    assert 0 < ahead.max() < 1
    assert "Practically no pair meets new angles" in lessons()["longer-than-trained"].stations[3].answer


def test_where_no_pair_meets_new_angles_nothing_is_said_of_them():
    assert turning(100, 128, 4096).wavelengths[-1] < 4096  # the slowest pair goes full circle in training
    assert texts(view(base=100))[0] == ("No pair meets angles it never saw", "")


@pytest.mark.parametrize("name", SCALINGS[1:])
def test_what_is_said_of_a_scaling(name):
    at, found = view(scaling=name), stretched(name, 4, **USUAL)
    assert not found.new.any()
    assert texts(at)[0][0] == "No pair meets angles it never saw"
    assert texts(at)[0][1] == "Without scaling, 18 pairs would meet new angles in 16,384 tokens."
    said = at.caption[1].value
    counts = {REGIONS[region]: int((found.regions == region).sum()) for region in Region}
    assert f"Pairs: {', '.join(f'{n} {word}' for word, n in counts.items() if n)}." in said
    assert sum(counts.values()) == 64
    factor = found.attention_factor
    assert (f"Attention factor {factor:.4f}: scores are multiplied by {factor**2:.3f}." in said) == (factor != 1)
    assert ("harder to tell apart" in said) == (found.after[0] != 1)


def test_a_text_no_longer_than_in_training():
    (first, text), base = texts(view(used=4096))
    assert first == "No pair meets angles it never saw"
    assert text == "In training every text was at least as long, so no position is new."
    assert base[0].startswith("Base")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"head_dim": 7}, "do not make whole pairs"),
        ({"base": 1}, "Base: 1 is out of range. Take 2 to 1,000,000,000; 10,000 stays in use."),
        ({"trained": 0}, "Trained on (tokens): 0 is out of range."),
        ({"factor": 0, "scaling": "yarn"}, "Factor: 0 is out of range. Take 1 to 128; 4 stays in use."),
        ({"used": 10**9}, "Used on (tokens): 1,000,000,000 is out of range."),
    ],
)
def test_a_bad_value_is_told(query, said):
    assert any(said in each for each in messages(view(**query)))


@pytest.mark.parametrize("name", SCALINGS)
def test_the_smallest_head_is_drawn(name):
    at = view(scaling=name, head_dim=4, trained=2, used=3, base=2, factor=1)
    assert messages(at) == []
    assert len(shown(at, "longer")["data"]) == 2


def test_an_unknown_option_in_the_address_gives_the_usual_one():
    assert texts(view(scaling="ntk")) == texts(view())


def test_projection_shows_the_same_without_the_program():
    at = view(present=1)
    assert shown(at, "longer")["alt"] == shown(view(), "longer")["alt"]
    assert programs(at) == []
