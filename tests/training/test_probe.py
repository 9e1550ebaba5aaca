"""How well positions can be read from the vectors of the small GPT, against scikit-learn."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embedviz.training import probe as module
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.corpus import corpus
from embedviz.training.next_word import forward
from embedviz.training.probe import N_FITTED, N_TESTED, probe
from embedviz.training.run import beginning
from embedviz.vectors.probing import position_error


def test_the_error_is_that_of_scikit_learns_ridge_regression():
    generator = np.random.default_rng(2)
    x, y = generator.normal(3, 2, (60, 5)), generator.normal(3, 2, (40, 5))
    x[:, 4] = y[:, 4] = 7  # a dimension that is always the same
    slopes = np.array([1, -2, 0, 0.5, 0])
    places, true = x @ slopes + generator.normal(size=60), y @ slopes
    fitted = make_pipeline(StandardScaler(), Ridge(alpha=1.0)).fit(x, places)
    expected = np.abs(fitted.predict(y) - true).mean()
    assert position_error(x.astype(np.float32), places, y.astype(np.float32), true) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("name", ["who", "who_no_positions_2_layers"])
def test_a_probe_is_fitted_on_one_part_of_the_text_and_tested_on_the_other(name):
    run = bundled(BUNDLED[name])
    text = corpus("", 10, run.settings.seed, False, "who")
    states, places = [], []
    for ids, n in ((text.training, N_FITTED), (text.held_out, N_TESTED)):
        starts = torch.randint(len(ids) - 9, (n, 1), generator=torch.Generator().manual_seed(0))[:, 0].tolist()
        windows = [" ".join(run.vocabulary[id_] for id_ in ids[start : start + 10].tolist()) for start in starts]
        states.append(np.concatenate([forward(run, window).hidden_states for window in windows], axis=1))
        places.append(np.tile(range(10), n))
    found = probe(run)
    assert found.errors.shape == (run.settings.n_layers + 1,)
    for n, (x, y) in enumerate(zip(*states, strict=True)):
        fitted = make_pipeline(StandardScaler(), Ridge(alpha=1.0)).fit(x, places[0])
        assert found.errors[n] == pytest.approx(np.abs(fitted.predict(y) - places[1]).mean(), abs=1e-3)
    assert found.guess == 2.5 == np.abs(places[1] - 4.5).mean()
    assert not found.errors.flags.writeable


def test_learned_positions_are_there_at_the_input_and_the_mask_alone_brings_some_in():
    with_positions, without = probe(bundled(BUNDLED["who"])), probe(bundled(BUNDLED["who_no_positions_2_layers"]))
    assert with_positions.errors[0] < with_positions.guess / 2
    assert without.errors[0] == pytest.approx(without.guess, abs=0.1)
    assert without.errors[1] < without.guess - 0.3


def test_a_model_that_has_learned_nothing_has_no_position_that_can_be_read():
    untrained = probe(beginning(BUNDLED["who_no_positions"]))
    assert untrained.errors[0] == pytest.approx(untrained.guess, abs=0.1)
    assert module.N_FITTED > 2 * 33  # more windows than a line has slopes, or it would fit anything
