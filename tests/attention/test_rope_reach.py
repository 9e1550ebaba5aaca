"""How far RoPE's pairs turn, against one pair and one position at a time."""

import math

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.rope_reach import SCALINGS, Region, stretched, turning

USUAL = {"head_dim": 128, "base": 10_000, "trained": 4096, "used": 16_384}


@pytest.mark.parametrize(("base", "head_dim", "trained"), [(10_000, 128, 4096), (500_000, 64, 131_072), (2, 4, 2)])
def test_wavelengths_and_circles(base, head_dim, trained):
    found = turning(base, head_dim, trained)
    waves = [2 * math.pi * base ** (2 * k / head_dim) for k in range(head_dim // 2)]
    np.testing.assert_allclose(found.wavelengths, waves, rtol=2e-6)
    np.testing.assert_allclose(found.turns, [(trained - 1) / wave for wave in waves], rtol=2e-6)
    assert found.n_full == sum(wave <= trained - 1 for wave in waves)


def test_known_numbers_of_llama_2():
    """With base 10,000 and 128 dimensions the slowest pair needs 54,410 positions; 4,096 tokens let 46 pairs round."""
    found = turning(10_000, 128, 4096)
    assert (found.n_full, round(float(found.wavelengths[-1]))) == (46, 54_410)


def test_regions_of_known_scalings():
    counts = {
        name: [stretched(name, 4, **USUAL).count(region) for region in Region]
        for name in ("none", "linear", "yarn", "llama3", "proportional")
    }
    assert counts["none"] == [64, 0, 0, 0, 0]
    assert counts["linear"] == [0, 0, 64, 0, 0]
    assert counts["proportional"] == [0, 0, 16, 0, 48]
    turns = [4096 / (2 * math.pi * 10_000 ** (k / 64)) for k in range(64)]
    assert counts["llama3"] == [
        sum(n > 4 for n in turns),
        sum(1 <= n <= 4 for n in turns),
        sum(n < 1 for n in turns),
        0,
        0,
    ]
    low, high = (64 * math.log(4096 / (n * 2 * math.pi)) / math.log(10_000) for n in (32, 1))
    kept, interpolated = math.floor(low) + 1, 64 - math.ceil(high)
    assert counts["yarn"] == [kept, 64 - kept - interpolated, interpolated, 0, 0] == [21, 25, 18, 0, 0]


def test_dynamic_keeps_the_fastest_pair_and_slows_the_slowest_by_more_than_the_factor():
    found = stretched("dynamic", 4, **USUAL)
    assert found.regions[0] == Region.KEPT
    assert found.regions[-1] == Region.SLOWER
    assert found.before[-1] / found.after[-1] == pytest.approx(4 * 4 - 3, rel=1e-5)


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize("used", [50, 200, 333])
def test_new_angles_one_position_at_a_time(name, used):
    """An angle is new if it lies beyond the first position that training never had, and the circle was never closed."""
    trained = 50
    found = stretched(name, 4, head_dim=32, base=10_000, trained=trained, used=used)
    for k, (before, after) in enumerate(zip(found.before.tolist(), found.after.tolist(), strict=True)):
        closed = max(before * place for place in range(trained)) >= 2 * math.pi
        beyond = any(after * place >= before * trained * (1 - 1e-5) for place in range(used))
        assert found.new[k] == (beyond and not closed)
        assert found.new_unscaled[k] == (used > trained and not closed)


def test_interpolation_brings_every_angle_back():
    assert stretched("none", 4, **USUAL).new.sum() == 18
    for name in SCALINGS[1:]:
        assert stretched(name, 4, **USUAL).new.sum() == 0, name


@pytest.mark.parametrize(
    ("name", "how"), [("ntk", {}), ("none", {"head_dim": 7}), ("none", {"used": 1}), ("none", {"trained": 2.5})]
)
def test_what_is_refused(name, how):
    with pytest.raises(ev.EmbedvizError):
        stretched(name, 4, **(USUAL | how))
