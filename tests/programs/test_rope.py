"""The programs of RoPE's frequencies, run for real, print what the views show."""

import numpy as np
import pytest

from embedviz.attention.rope_reach import SCALINGS, stretched
from embedviz.positions import SCHEMES
from embedviz.positions.reach import State, states
from embedviz.programs import rope as export

# Schemes that look rows up, or end.
LOOKING = {name for name, each in SCHEMES.items() if callable(each.reach) or each.reach is State.MISSING}


@pytest.fixture
def words(run):
    """Run a program and return the numbers of each scheme that it prints, and then those of each other line."""

    def numbers(program: str) -> list:
        lines = [line.split() for line in run(program)]
        schemes = {name: [int(word) for word in more] for name, *more in lines[: len(LOOKING)]}
        return [schemes, *([float(word) for word in line] for line in lines[len(LOOKING) :])]

    return numbers


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
    _schemes, (attention,), *lines = words(export.pytorch_longer(name, factor, **lengths))
    found = stretched(name, factor, **lengths)
    assert attention == pytest.approx(found.attention_factor, abs=6e-5)
    expected = np.stack([found.before, found.after, found.turns_trained, found.turns_used], axis=1)
    np.testing.assert_allclose(lines, expected, rtol=6e-5, atol=1e-9)


@pytest.mark.parametrize(("trained", "used"), [(64, 192), (10, 700), (64, 20)])
def test_what_schemes_have_past_the_trained_length(trained, used, words):
    found, *_ = words(export.pytorch_longer("none", 1, head_dim=8, base=10_000, trained=trained, used=used))
    assert {*found} == LOOKING
    for name, counts in found.items():
        past = states(SCHEMES[name].reach, trained, np.arange(used)).tolist()
        assert counts == [past.count(state) for state in (State.MISSING, State.AGAIN, State.UNTRAINED)]
