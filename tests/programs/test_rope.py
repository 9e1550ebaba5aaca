"""The programs of the page "RoPE", run for real, print what the views show."""

import numpy as np
import pytest

from embedviz.attention.rope_reach import SCALINGS, stretched
from embedviz.base.data_files import DATA
from embedviz.layers.positions import turned_heads
from embedviz.positions import rope_pairs
from embedviz.programs.schemes import rope as export
from embedviz.programs.schemes.turned import OwnHead, pytorch_own_clocks
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import Run
from tests.models.shelf import on_shelf


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


def own_head(source, text: str) -> OwnHead:
    heads = turned_heads(source, text)
    run = source.settings if isinstance(source, Run) else None
    return OwnHead(run, "a model", text, heads, *heads.strongest())


def assert_prints(found: rope_pairs.Clocks, printed: list[str]) -> None:
    *pairs, (_score, score), (_change, change) = (line.split() for line in printed)
    _number, angles, shares = np.array(pairs, float).T
    np.testing.assert_allclose((angles - found.angles + 180) % 360, 180, rtol=0, atol=0.051)
    np.testing.assert_allclose(shares, found.shares, rtol=0, atol=6e-5)
    assert float(score) == pytest.approx(found.score, abs=6e-5)
    assert max(float(change), found.change) < 1e-5


def test_clocks_of_the_small_gpt(run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    own = own_head(bundled(BUNDLED["rope"]), "the cat sat on the mat , who sat ?")
    assert_prints(rope_pairs.clocks(9, 1, 30, own.pair), run(pytorch_own_clocks(9, 1, 30, own)))


@pytest.mark.parametrize("kind", ["llama", "gpt_neox"])
def test_clocks_of_a_model_of_this_machine(kind, models_folder, run):
    on_shelf(kind, models_folder / "own/model", "the cat", with_head=True, hidden_size=64)
    own = own_head("own/model", "the cat sat on the mat")
    assert_prints(rope_pairs.clocks(5, 2, 400, own.pair), run(pytorch_own_clocks(5, 2, 400, own)))
