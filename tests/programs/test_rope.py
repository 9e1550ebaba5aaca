"""The programs of the page "RoPE", run for real, print what the views show."""

import numpy as np
import pytest

from embedviz.attention.rope_reach import SCALINGS, stretched
from embedviz.positions import rope_pairs
from embedviz.programs.schemes import rope as export


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize(
    ("factor", "lengths"),
    [
        (4, {"head_dim": 128, "base": 10_000, "trained": 4096, "used": 16_384}),
        (32, {"head_dim": 96, "base": 500_000, "trained": 8192, "used": 512}),
        (1, {"head_dim": 4, "base": 2, "trained": 2, "used": 2}),
    ],
    ids=["usual", "used on less", "smallest"],
)
def test_longer(name, factor, lengths, run):
    (attention,), *lines = ([*map(float, line.split())] for line in run(export.pytorch_longer(name, factor, **lengths)))
    found = stretched(name, factor, **lengths)
    assert attention == pytest.approx(found.attention_factor, abs=6e-5)
    expected = np.stack([found.before, found.after, found.turns_trained, found.turns_used], axis=1)
    np.testing.assert_allclose(lines, expected, rtol=6e-5, atol=1e-9)


@pytest.mark.parametrize("places", [(12, 8, 0), (3, 64, 512)])
def test_clocks(places, run):
    found = rope_pairs.clocks(*places)
    *pairs, (_score, score), (_change, change) = (line.split() for line in run(export.pytorch_clocks(*places)))
    _number, angles, shares = np.array(pairs, float).T
    np.testing.assert_allclose((angles - found.angles + 180) % 360, 180, rtol=0, atol=0.051)
    np.testing.assert_allclose(shares, found.shares, rtol=0, atol=6e-5)
    assert float(score) == pytest.approx(found.score, abs=6e-5)
    assert max(float(change), found.change) < 2e-6  # rounding, which depends on the order of a sum
