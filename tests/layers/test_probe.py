"""MiniLM's probe: what the file says, and that it is measured as it says."""

import numpy as np
import pytest

from embedviz.layers import line
from embedviz.layers.probe import measure, minilm
from embedviz.layers.windows import runs
from tests.models.shelf import on_shelf

NAME = "own/model"


def test_minilm_remembers_positions_at_the_input_and_has_forgotten_them_at_the_end():
    found = minilm()
    assert found.guess == 8.0
    assert len(found.errors) == len(found.off) == 7
    assert not found.errors.flags.writeable
    assert (np.diff(found.errors) > 0).all()
    assert found.errors[0] < 1.5
    assert found.errors[-1] > 5
    assert found.off.min() > 7


def test_it_is_measured_by_ridge_regression_on_windows_before_the_tested_ones(models_folder):
    on_shelf("bert", models_folder / NAME, "the cat", hidden_size=4, num_hidden_layers=2, max_position_embeddings=20)
    found = measure(NAME)
    assert found["guess"] == 2.5
    for name, ran in runs(line.find(NAME)):
        if name not in ("text", "off"):
            continue
        for stage, vectors in enumerate(ran.hidden_states.astype(float)):  # (14, 10, 4)
            x, tested = vectors[:11].reshape(110, 4), vectors[11:]
            middle, spread = x.mean(axis=0), x.std(axis=0)
            x = (x - middle) / spread
            slopes = np.linalg.solve(x.T @ x + np.eye(4), x.T @ (np.tile(np.arange(10), 11) - 4.5))
            wrong = [
                abs(4.5 + ((row - middle) / spread) @ slopes - place)
                for window in tested
                for place, row in enumerate(window)
            ]
            expected = found["errors" if name == "text" else "off"][stage]
            assert expected == pytest.approx(np.mean(wrong), abs=1e-3)
    assert max(found["errors"]) < min(found["off"])
