"""The colours of .streamlit/config.toml: readable on their background, and told apart by everyone.

Colour blindness is simulated as in Machado, Oliveira and Fernandes (2009); differences are those of
CAM02-UCS (Luo, Cui and Li 2006); contrast is that of WCAG 2.
"""

import itertools
import tomllib

import colour
import numpy as np
import pytest

from embedviz.base.settings import ROOT

THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
MODES = ("light", "dark")
VISIONS = (None, "Protanomaly", "Deuteranomaly", "Tritanomaly")
MATRICES = {name: colour.blindness.matrix_cvd_Machado2009(name, 1.0) for name in VISIONS if name}


def linear(hexes: list[str]) -> np.ndarray:
    """sRGB as light, shape (N, 3)."""
    return colour.models.eotf_sRGB(np.array([[int(h[n : n + 2], 16) / 255 for n in (1, 3, 5)] for h in hexes]))


def as_seen(hexes: list[str], vision: str | None) -> np.ndarray:
    """J', a', b' of each colour for one kind of vision at its full severity, shape (N, 3)."""
    light = linear(hexes)
    if vision:
        light = np.clip(light @ MATRICES[vision].T, 0, 1)
    return colour.XYZ_to_CAM02UCS(colour.sRGB_to_XYZ(light, apply_cctf_decoding=False))


def contrast(one: str, other: str) -> float:
    low, high = sorted(linear([one, other]) @ (0.2126, 0.7152, 0.0722))
    return (high + 0.05) / (low + 0.05)


def test_the_difference_of_black_and_white_is_100():
    black, white = as_seen(["#000000", "#ffffff"], None)
    assert np.linalg.norm(white - black) == pytest.approx(100, abs=0.5)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", MODES)
def test_any_two_token_colours_can_be_told_apart(mode, vision):
    seen = as_seen(THEME[mode]["chartCategoricalColors"], vision)
    assert len(seen) == 8
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 14


@pytest.mark.parametrize("mode", MODES)
def test_token_colours_and_texts_are_readable_on_their_background(mode):
    theme = THEME[mode]
    colours = [*theme["chartCategoricalColors"], theme["textColor"], theme["linkColor"]]
    assert min(contrast(one, theme["backgroundColor"]) for one in colours) >= 4.5
    grounds = [theme[f"{name}BackgroundColor"] for name in ("secondary", "green", "orange")]
    assert min(contrast(theme["textColor"], ground) for ground in grounds) >= 7


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", MODES)
def test_the_sequential_scale_only_gets_lighter_or_darker(mode, vision):
    lightness = as_seen(THEME[mode]["chartSequentialColors"], vision)[:, 0]
    steps = np.diff(lightness)
    assert (steps > 0).all() or (steps < 0).all()


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", MODES)
def test_the_ends_of_the_diverging_scale_differ_and_zero_is_between_them(mode, vision):
    scale = THEME[mode]["chartDivergingColors"]
    seen = as_seen([*scale, THEME[mode]["backgroundColor"]], vision)
    negative, positive, zero = seen[:5], seen[5:10][::-1], seen[10]
    for a, b in zip(negative[:4], positive[:4], strict=True):
        assert np.linalg.norm(a - b) >= 14
    for side in (negative, positive):
        away = np.linalg.norm(side - zero, axis=1)
        assert (np.diff(away) < 0).all()
