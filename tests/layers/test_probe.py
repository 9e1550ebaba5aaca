"""MiniLM's probe: what the file says, and that it is measured as it says."""

import numpy as np
import pytest
import torch

from embedviz.layers.probe import measure, minilm
from embedviz.text import samples
from embedviz.text.token_ids import encode
from tests.models.shelf import on_shelf

NAME = "own/model"


def test_minilm_remembers_positions_at_the_input_and_has_forgotten_them_at_the_end():
    found = minilm()
    assert found.guess == 8.0
    assert len(found.errors) == len(found.off) == 7
    assert not found.errors.flags.writeable
    assert (np.diff(found.errors) > 0).all()
    assert found.errors[0] < 1
    assert found.errors[-1] > 6
    assert found.off.min() > 8


def test_it_is_measured_by_ridge_regression_on_windows_before_the_tested_ones(models_folder):
    model = on_shelf("bert", models_folder / NAME, "the cat", hidden_size=4, num_hidden_layers=2).model
    found = measure(NAME, 10)
    assert found["guess"] == 2.5
    ids = encode(samples.texts()[0].text, NAME).ids.tolist()
    end = len(ids) * 3 // 4
    fitted = [ids[n : n + 10] for n in range(0, end - 9, 4)]
    tested = [ids[n : n + 10] for n in range(end, len(ids) - 9, 4)]
    for name, positions in (("errors", list(range(10))), ("off", [0] * 10)):
        states = []
        for part in (fitted, tested):
            with torch.no_grad():
                given = {"attention_mask": torch.ones(len(part), 10), "position_ids": torch.tensor([positions])}
                said = model(torch.tensor(part), output_hidden_states=True, **given).hidden_states
            states.append([each.double().numpy() for each in said])
        for stage, (vectors, others) in enumerate(zip(*states, strict=True)):
            x = vectors.reshape(-1, 4)
            middle, spread = x.mean(axis=0), x.std(axis=0)
            x = (x - middle) / spread
            slopes = np.linalg.solve(x.T @ x + 100 * np.eye(4), x.T @ (np.tile(np.arange(10), len(fitted)) - 4.5))
            wrong = [
                abs(4.5 + ((row - middle) / spread) @ slopes - place)
                for window in others
                for place, row in enumerate(window)
            ]
            assert found[name][stage] == pytest.approx(np.mean(wrong), abs=2e-3)
    assert found["errors"][0] < found["off"][0]
