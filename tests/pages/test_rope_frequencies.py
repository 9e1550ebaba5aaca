"""The views Base, Longer than trained, and A part of the dimensions of the page RoPE."""

import re

import numpy as np
import pytest

from embedviz.attention.rope_parts import PARTS, part_scores
from embedviz.attention.rope_reach import SCALINGS, Region, bases_compared, stretched
from embedviz.programs import rope as export
from pages.rope.frequency_words import REGIONS
from tests.pages.site import messages, programs, shown, visit

USUAL = {"head_dim": 128, "base": 10_000, "trained": 4096, "used": 16_384}


def view(name: str, **query: object):
    at = visit("rope", view=name, **{key: str(value) for key, value in query.items()})
    assert not at.exception
    return at


def texts(at, key: str) -> list[tuple[str, str]]:
    return [(card["title"], card["text"]) for card in shown(at, key)["cards"]]


def numbers(text: str) -> list[float]:
    return [float(each.replace(",", "")) for each in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


# Base -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [{}, {"base": 50_000, "head_dim": 64, "trained": 131_072}, {"base": 500}])
def test_every_base_is_a_curve_and_a_row(chosen):
    settings = {"base": 10_000, "head_dim": 128, "trained": 4096} | chosen
    at = view("base", **chosen)
    found = bases_compared(**settings)
    assert messages(at) == []
    drawn = {trace["name"]: trace for trace in shown(at, "base")["data"]}
    assert set(drawn) == {f"base {each.base:,}" for each in found}
    for each in found:
        trace = drawn[f"base {each.base:,}"]
        assert np.array_equal(trace["y"], each.wavelengths)
        assert (trace["mode"] == "lines+markers") == (each.base == settings["base"])
    (level,) = shown(at, "base")["layout"]["shapes"]
    assert level["y0"] == level["y1"] == settings["trained"]
    rows = shown(at, "bases")["rows"]
    assert [row[:2] for row in rows] == [[f"{each.base:,}", f"{each.n_full} of {len(each.turns)}"] for each in found]
    assert [row[4] == "your choice" for row in rows] == [
        each.base not in {10_000, 500_000, 1_000_000} for each in found
    ]
    assert programs(at)[0] == export.pytorch_base(**settings).strip()


def test_what_is_said_of_the_usual_base():
    circles, slowest, larger = texts(view("base"), "about_base")
    assert circles[0] == "46 of 64 pairs go full circle"
    assert "The other 18 see a part" in circles[1]
    assert slowest[0] == "The slowest pair needs 54,410 positions"
    assert "an angle of its own" in slowest[1]
    assert "repeats" not in slowest[1]
    assert larger[0] == "Why longer contexts took larger bases"
    (other, times, usual, length, trained) = numbers(larger[1])
    assert (other, usual, trained) == (500_000, 10_000, 4096)
    assert times == pytest.approx(50 ** (126 / 128), rel=1e-2)
    assert length == pytest.approx(4096 * 50 ** (126 / 128), rel=1e-4)


def test_a_long_text_closes_every_circle():
    circles, slowest, _larger = texts(view("base", trained=131_072), "about_base")
    assert circles == ("64 of 64 pairs go full circle", "In 131,072 tokens every pair meets every angle.")
    assert "it turns 2.41 times. So its angle repeats" in slowest[1]


def test_a_short_text_closes_no_circle():
    circles, _slowest, larger = texts(view("base", base=2, head_dim=4, trained=2), "about_base")
    assert circles[0] == "0 of 2 pairs go full circle"
    assert circles[1] == "In 2 tokens no pair does, so a longer text shows new angles to all of them."
    assert "a text of less than one token turns" in larger[1]


def test_a_smaller_base_is_called_so():
    title, text = texts(view("base", base=500), "about_base")[2]
    assert title == "A smaller base makes slow pairs faster"
    (other, times, usual, length, trained) = numbers(text)
    assert (other, usual, trained) == (500, 10_000, 4096)
    assert times == pytest.approx(20 ** (126 / 128), rel=1e-2)
    assert length == pytest.approx(4096 / 20 ** (126 / 128), abs=1)


# Longer than trained --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCALINGS)
def test_every_scaling_is_drawn_before_and_after(name):
    at = view("longer", scaling=name)
    found = stretched(name, 4, **USUAL)
    assert messages(at) == []
    picture = shown(at, "scaling")
    before, after, trained, used = (np.array(trace["y"], float) for trace in picture["data"])
    np.testing.assert_allclose(before, 2 * np.pi / found.before, rtol=1e-6)
    moves = found.after > 0
    np.testing.assert_allclose(after[moves], 2 * np.pi / found.after[moves], rtol=1e-6)
    assert np.isnan(after[~moves]).all()
    assert np.isnan(used[~moves]).all()
    np.testing.assert_allclose(trained, found.turns_trained, rtol=1e-6)
    np.testing.assert_allclose(used[moves], found.turns_used[moves], rtol=1e-6)
    assert [field.key for field in at.number_input].count("factor") == (name != "none")  # which has none
    assert programs(at)[0] == export.pytorch_longer(name, 1 if name == "none" else 4, **USUAL).strip()


@pytest.mark.parametrize("name", SCALINGS)
def test_what_is_said_of_a_scaling(name):
    at = view("longer", scaling=name)
    found = stretched(name, 4, **USUAL)
    pairs, far, near = texts(at, "about_scaling")
    counts = {REGIONS[region]: int((found.regions == region).sum()) for region in Region}
    assert pairs[0] == ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    assert sum(counts.values()) == 64
    if found.attention_factor == 1:
        assert "Attention factor 1: scores are not multiplied" in pairs[1]
    else:
        said = (
            f"Attention factor {found.attention_factor:.4f}: scores are multiplied by {found.attention_factor**2:.3f}."
        )
        assert said in pairs[1]
    assert far[0] == f"Far: {found.new.sum()} pairs meet new angles"
    assert ("Without scaling 18 pairs" in far[1]) == (name != "none")
    assert near[0] == ("Near: neighbours stay apart" if found.after[0] == 1 else "Near: neighbours move together")


def test_regions_are_coloured_and_named():
    layout = shown(view("longer"), "scaling")["layout"]
    bands = [(shape["x0"], shape["x1"]) for shape in layout["shapes"] if shape["type"] == "rect"]
    assert bands == [(-0.5, 20.5), (20.5, 45.5), (45.5, 63.5)]  # YaRN's
    words = [note["text"] for note in layout["annotations"]]
    assert [word for word in words if word in REGIONS.values()] == ["kept", "blended", "interpolated"]
    assert "new angles" not in words
    assert "new angles" in [
        note["text"] for note in shown(view("longer", scaling="none"), "scaling")["layout"]["annotations"]
    ]


def test_a_text_no_longer_than_in_training():
    far = texts(view("longer", used=4096), "about_scaling")[1]
    assert far == ("Far: 0 pairs meet new angles", "The text is no longer than those of the training.")


# A part of the dimensions ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", PARTS)
def test_strips_are_drawn_to_scale_and_a_score_is_a_sum(name):
    at = view("part", partial=name)
    part, found = PARTS[name], part_scores(name)
    strips, turned, still, total = shown(at, "part")["data"]
    for row, each in zip(np.array(strips["z"], float), PARTS.values(), strict=True):
        assert np.array_equal(row[: each.head_dim], each.is_turned)
        assert np.isnan(row[each.head_dim :]).all()
    (frame,) = (shape for shape in shown(at, "part")["layout"]["shapes"] if shape["type"] == "rect")
    assert frame["x1"] == part.head_dim - 0.5
    assert np.array_equal(turned["y"], found.turned)
    assert set(still["y"]) == {np.float32(found.still)}
    np.testing.assert_allclose(np.add(turned["y"], still["y"]), total["y"], rtol=0, atol=1e-6)
    first, *more = texts(at, "about_part")
    assert first[0] == f"{part.model}: {part.turned} of {part.head_dim} dimensions are turned"
    assert len(more) == (1 if name == "all" else 2)
    if name != "all":
        assert more[0][0].startswith(f"The other {part.head_dim - part.turned} add ")
    assert programs(at)[0] == export.pytorch_part(name).strip()


# Bad values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [
        ("base", {"head_dim": 7}, "do not make whole pairs"),
        ("base", {"base": 1}, "Base: 1 is out of range. Take 2 to 1,000,000,000; 10,000 stays in use."),
        ("base", {"trained": 0}, "Trained on (tokens): 0 is out of range."),
        ("longer", {"factor": 0}, "Factor: 0 is out of range. Take 1 to 128; 4 stays in use."),
        ("longer", {"head_dim": 9}, "do not make whole pairs"),
        ("longer", {"used": 10**9}, "Used on (tokens): 1,000,000,000 is out of range."),
    ],
)
def test_a_bad_value_is_told(name, query, said):
    assert any(said in each for each in messages(view(name, **query)))


@pytest.mark.parametrize("name", SCALINGS)
def test_the_smallest_head_is_drawn(name):
    at = view("longer", scaling=name, head_dim=4, trained=2, used=3, base=2, factor=1)
    assert messages(at) == []
    assert len(shown(at, "scaling")["data"]) == 4


@pytest.mark.parametrize("query", [{"scaling": "ntk"}, {"partial": "third"}])
def test_an_unknown_option_in_the_address_gives_the_usual_one(query):
    at = view("longer" if "scaling" in query else "part", **query)
    said = shown(at, "about_scaling") or shown(at, "about_part")
    assert said["cards"][0]["title"] in (
        "21 kept, 25 blended, 18 interpolated",
        "GPT-NeoX: 24 of 96 dimensions are turned",
    )


@pytest.mark.parametrize("name", ["base", "longer", "part"])
def test_projection_shows_the_same_without_the_program(name):
    at = view(name, present=1)
    assert shown(at, {"longer": "scaling"}.get(name, name))["alt"]
    assert programs(at) == []
