"""The programs of two views of the page "RoPE", run for real, print what these views show."""

import numpy as np
import pytest

from embedviz.positions import rope_pairs
from embedviz.programs import rope_pairs as export


@pytest.fixture
def words(run):
    """Run a program and return the words of each line that it prints."""
    return lambda program: [line.split() for line in run(program)]


@pytest.mark.parametrize("places", [(12, 8, 0), (3, 64, 512)])
def test_clocks(places, words):
    found = rope_pairs.clocks(*places)
    *pairs, (_score, score), (_change, change) = words(export.pytorch_clocks(*places))
    _number, angles, shares = np.array(pairs, float).T
    np.testing.assert_allclose((angles - found.angles + 180) % 360, 180, rtol=0, atol=0.051)
    np.testing.assert_allclose(shares, found.shares, rtol=0, atol=6e-5)
    assert float(score) == pytest.approx(found.score, abs=6e-5)
    assert max(float(change), found.change) < 2e-6  # rounding, which depends on the order of a sum


@pytest.mark.parametrize("order", ["half", "interleaved"])
def test_orders(order, words):
    found = rope_pairs.layout_scores(order)
    lines = words(export.pytorch_layouts(order))
    matrices = np.array(lines[:18], float).reshape(3, 6, 6)
    for printed, scores in zip(matrices, (found.own, found.renamed, found.mixed), strict=True):
        np.testing.assert_allclose(printed, scores, rtol=0, atol=6e-5)
    said = {name: float(number) for name, number in lines[18:]}
    assert said["mixed"] == pytest.approx(found.mixed_apart, rel=6e-3)
    assert said["others_first"] == found.others_first
    assert max(said["renamed"], said["mixed_shift"]) < 2e-6
