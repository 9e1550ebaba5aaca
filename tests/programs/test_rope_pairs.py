"""The program of the view "Pairs turn" of the page "RoPE", run for real, prints what the view shows."""

import numpy as np
import pytest

from embedviz.positions import rope_pairs
from embedviz.programs import rope_pairs as export


@pytest.mark.parametrize("places", [(12, 8, 0), (3, 64, 512)])
def test_clocks(places, run):
    found = rope_pairs.clocks(*places)
    *pairs, (_score, score), (_change, change) = (line.split() for line in run(export.pytorch_clocks(*places)))
    _number, angles, shares = np.array(pairs, float).T
    np.testing.assert_allclose((angles - found.angles + 180) % 360, 180, rtol=0, atol=0.051)
    np.testing.assert_allclose(shares, found.shares, rtol=0, atol=6e-5)
    assert float(score) == pytest.approx(found.score, abs=6e-5)
    assert max(float(change), found.change) < 2e-6  # rounding, which depends on the order of a sum
