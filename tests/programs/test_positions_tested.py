"""The program of the view "measured" of Models, run for real, prints what the view shows."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.layers.positions import PositionTest
from embedviz.programs.schemes.tested import pytorch_positions
from embedviz.training.bundled import BUNDLED, bundled
from tests.models.shelf import on_shelf

NAME = "own/model"


def assert_prints(test: PositionTest, printed: list[str]) -> None:
    rows = [line.split() for line in printed]
    n = len(test.schemes) + 1
    for part, change, weights, outputs in (
        (rows[:n], test.input_change, test.weights, test.outputs),
        (rows[n:], test.input_moved, test.weights_moved, test.outputs_moved),
    ):
        assert float(part[0][1]) == pytest.approx(change, rel=6e-3)
        found = np.array([row[1:] for row in part[1:]], float)
        np.testing.assert_allclose(found, np.stack([weights, outputs], 1), rtol=6e-3, atol=5e-6)
        assert not found[~test.reads].any()


@pytest.mark.parametrize("name", ["learned", "rope", "none_2_layers"])
def test_of_a_small_gpt(name, run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    test = ev.positions_of(bundled(BUNDLED[name]))
    assert_prints(test, run(pytorch_positions(test, BUNDLED[name])))


@pytest.mark.parametrize("kind", ["gpt2", "opt", "smollm3", "bert"])
def test_of_a_model_of_this_machine(kind, run, models_folder, tmp_path):
    more = {"gpt2": {"n_positions": 60}, "smollm3": {"no_rope_layers": [1, 0], "num_hidden_layers": 2}}
    on_shelf(kind, models_folder / NAME, "the cat", with_head=kind != "bert",
             **more.get(kind, {"max_position_embeddings": 60}))  # fmt: skip
    (tmp_path / "own").symlink_to(models_folder / "own")
    test = ev.positions_of(NAME)
    assert_prints(test, run(pytorch_positions(test)))
