"""The programs of RoPE's frequencies, run for real, print what the views show."""

import numpy as np
import pytest

from embedviz.attention.rope_parts import PARTS, part_scores
from embedviz.attention.rope_reach import SCALINGS, bases_compared, stretched
from embedviz.programs import rope as export


@pytest.fixture
def words(run):
    """Run a program and return the numbers of each line that it prints."""
    return lambda program: [[float(word) for word in line.split()] for line in run(program)]


@pytest.mark.parametrize(("base", "head_dim", "trained"), [(10_000, 128, 4096), (77_777, 6, 2)])
def test_base(base, head_dim, trained, words):
    lines = words(export.pytorch_base(base, head_dim, trained))
    for line, each in zip(lines, bases_compared(base, head_dim, trained), strict=True):
        assert line[:2] == [each.base, each.n_full]
        np.testing.assert_allclose(line[2:], [each.turns[-1], *each.wavelengths], rtol=6e-4)


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
def test_longer(name, factor, lengths, words):
    (attention,), *lines = words(export.pytorch_longer(name, factor, **lengths))
    found = stretched(name, factor, **lengths)
    assert attention == pytest.approx(found.attention_factor, abs=6e-5)
    expected = np.stack([found.before, found.after, found.turns_trained, found.turns_used], axis=1)
    np.testing.assert_allclose(lines, expected, rtol=6e-5, atol=1e-9)


@pytest.mark.parametrize("name", PARTS)
def test_part(name, words):
    (still,), *lines = words(export.pytorch_part(name))
    found = part_scores(name)
    assert still == pytest.approx(found.still, abs=6e-5)
    np.testing.assert_allclose(lines, np.stack([found.back, found.turned, found.total], axis=1), rtol=0, atol=6e-5)
