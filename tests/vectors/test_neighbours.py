"""Nearest rows against brute force in float64."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

import embedviz as ev
from embedviz.vectors.neighbours import METRICS, nearest
from embedviz.vectors.tables import token_table


def rows(n_rows: int = 500, n_dims: int = 16, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n_rows, n_dims)).astype(np.float32) + 0.3


def brute(query: np.ndarray, table: np.ndarray, k: int, metric: str) -> tuple[list[int], list[float]]:
    query, table = query.astype(np.float64), table.astype(np.float64)
    if metric == "cosine":
        values = np.array([row @ query / (np.linalg.norm(row) * np.linalg.norm(query)) for row in table])
        order = sorted(range(len(table)), key=lambda n: -values[n])[:k]
    else:
        values = np.array([np.linalg.norm(row - query) for row in table])
        order = sorted(range(len(table)), key=lambda n: values[n])[:k]
    return order, values[order].tolist()


@pytest.mark.parametrize("metric", METRICS)
@given(seed=st.integers(0, 1000), k=st.integers(1, 40))
def test_the_same_as_brute_force(metric, seed, k):
    table = rows(seed=seed)
    query = rows(1, 16, seed + 1)[0]
    found = nearest(query, table, k, metric)
    ids, values = brute(query, table, k, metric)
    assert found.ids.tolist() == ids
    assert found.values.tolist() == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_the_same_as_scikit_learn_in_the_whole_vocabulary(metric):
    table = token_table(50_257, ev.Spec())
    oracle = NearestNeighbors(n_neighbors=12, metric=metric, algorithm="brute").fit(table)
    distances, ids = oracle.kneighbors(table[3797:3798])
    found = nearest(table[3797], table, 12, metric)
    assert found.ids.tolist() == ids[0].tolist()
    expected = 1 - distances[0] if metric == "cosine" else distances[0]
    np.testing.assert_allclose(found.values, expected, atol=1e-2 if metric == "euclidean" else 1e-5)
    ours = torch.from_numpy(table.copy())
    top = torch.nn.functional.cosine_similarity(ours, ours[3797], dim=1).topk(12).indices
    assert metric == "euclidean" or top.tolist() == found.ids.tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_far_from_zero_the_order_is_still_right(metric):
    table = rows() + np.float32(1000)  # where float32 alone loses the differences
    ids, _ = brute(table[7], table, 5, "euclidean")
    if metric == "euclidean":
        assert nearest(table[7], table, 5, metric).ids.tolist() == ids
    assert nearest(table[7], table, 1, metric).ids.tolist() == [7]


def test_excluded_rows_are_left_out_and_equal_ones_come_in_order():
    table = np.ones((5, 3), np.float32)
    assert nearest(table[0], table, 3, "euclidean", exclude=(1,)).ids.tolist() == [0, 2, 3]
    assert nearest(table[0], table, 9, "cosine", exclude=(0, 1, 2, 3)).ids.tolist() == [4]
    assert nearest(table[0], table[:1], 2, "cosine", exclude=(0,)).ids.tolist() == []


def test_the_cosine_with_zero_counts_as_zero():
    table = np.array([[0, 0], [1, 0], [-1, 0]], np.float32)
    assert nearest(table[1], table, 3).values.tolist() == [1, 0, -1]
    assert nearest(table[0], table, 3).values.tolist() == [0, 0, 0]


def test_the_table_is_not_touched_and_results_are_read_only():
    table = rows()
    before = table.copy()
    found = nearest(table[0], table)
    assert np.array_equal(before, table)
    assert not found.ids.flags.writeable
    assert not found.values.flags.writeable


@pytest.mark.parametrize(
    ("arguments", "message"), [({"k": 0}, "k must be"), ({"metric": "dot"}, "one of cosine, euclidean")]
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        nearest(rows()[0], rows(), **arguments)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("value", [np.nan, np.inf, 3e38])
def test_numbers_without_a_distance_are_refused(metric, value):
    table = rows()
    table[7, 3] = value
    with pytest.raises(ev.EmbedvizError, match="not finite"):
        nearest(table[0], table, metric=metric)
