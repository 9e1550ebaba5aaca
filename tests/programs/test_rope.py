"""The program of RoPE's frequencies, run for real, prints what the view shows."""

import numpy as np
import pytest

from embedviz.attention.rope_reach import SCALINGS, stretched
from embedviz.programs import rope as export


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
