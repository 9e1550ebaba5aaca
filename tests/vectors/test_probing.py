"""A straight line and a small network that read positions, against scikit-learn and against torch by hand."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embedviz.vectors.probing import Errors, Probe, fitted_line, fitted_network


def made(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors (n, 5) on which positions from 0 to 3 depend, and the positions."""
    generator = np.random.default_rng(seed)
    x = generator.normal(3, 2, (n, 5)).astype(np.float32)
    x[:, 4] = 7  # a dimension that is always the same
    return x, np.digitize(x @ np.array([1, -2, 0, 0.5, 0]), [-4, -1, 2])


def test_the_line_is_scikit_learns_ridge_regression():
    (x, places), (others, _theirs) = made(60, 1), made(40, 2)
    expected = make_pipeline(StandardScaler(), Ridge(alpha=100.0)).fit(x.astype(float), places)
    np.testing.assert_allclose(fitted_line(x, places)(others), expected.predict(others.astype(float)), rtol=1e-6)


def test_the_network_is_that_of_torch_by_hand():
    """512 neurons, six rounds in batches of 256, AdamW at 0.003."""
    (x, places), (others, _theirs) = made(300, 1), made(40, 2)
    scaler = StandardScaler().fit(x.astype(float))
    scaled = torch.tensor(scaler.transform(x.astype(float)), dtype=torch.float32)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        first, second = torch.nn.Linear(5, 512), torch.nn.Linear(512, 4)
        weights = [*first.parameters(), *second.parameters()]
        optimizer = torch.optim.AdamW(weights, lr=0.003)
        for _ in range(6):
            order = torch.randperm(300)
            for rows in (order[:256], order[256:]):
                shares = second(first(scaled[rows]).clamp(min=0)).log_softmax(-1)
                optimizer.zero_grad()
                (-shares[range(len(rows)), places[rows]].mean()).backward()
                optimizer.step()
        with torch.no_grad():
            given = torch.tensor(scaler.transform(others.astype(float)), dtype=torch.float32)
            shares = second(first(given).clamp(min=0)).softmax(-1)
    expected = sum(place * shares[:, place] for place in range(4))
    np.testing.assert_allclose(fitted_network(x, places, 5)(others), expected.numpy(), atol=1e-4)


def test_the_same_seed_gives_the_same_network_and_leaves_the_global_generator_alone():
    x, places = made(50, 3)
    before = torch.random.get_rng_state()
    one, again, other = (fitted_network(x, places, seed)(x) for seed in (1, 1, 2))
    assert torch.equal(before, torch.random.get_rng_state())
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 1e-3


def test_a_network_reads_what_lies_on_no_line():
    """The places lie on a circle."""
    places = np.tile(np.arange(9), 200)
    angles = 2 * np.pi * places / 9
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1) + np.random.default_rng(0).normal(0, 0.05, (1800, 2))
    wrong = {
        name: np.abs(read(x) - places).mean()
        for name, read in (("line", fitted_line(x, places)), ("network", fitted_network(x, places, 0)))
    }
    assert wrong["network"] < 0.5
    assert wrong["line"] > 1


@pytest.mark.parametrize(("length", "guess"), [(32, 8.0), (10, 2.5), (11, 30 / 11)])
def test_guessing_is_always_naming_the_middle(length, guess):
    errors = Errors(np.zeros((1, 2), np.float32), np.zeros((1, 2), np.float32))
    assert Probe(errors, errors, length, 64, 32).guess == pytest.approx(guess)


def test_the_spread_is_how_far_seeds_differ_at_most_where_they_were_tested():
    tested = np.array([[1, 2], [1.5, 2], [1.25, 3]], np.float32)
    assert Errors(10 * tested, tested).spread == 1.0
