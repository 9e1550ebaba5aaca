"""Seeded tables are PyTorch's, bit for bit, and are built once, shared, and bounded."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.vectors import sources, tables


@pytest.fixture
def empty_cache():
    tables.reset()
    yield tables.kept_tables
    tables.reset()


@pytest.mark.parametrize(
    ("vocab_size", "context_length", "output_dim", "seed"),
    [
        (6, 4, 3, 123),
        (1, 1, 1, 0),
        (3, 5, 1, 7),  # torch draws fewer than 16 numbers one at a time and keeps the second of each pair
        (5, 7, 3, 42),
        (3, 5, 5, 2**32 - 1),
        (16, 1, 1, 5),
        (7, 9, 17, 99),
        (50257, 1024, 8, 123),
    ],
)
def test_tables_are_what_pytorch_makes(vocab_size, context_length, output_dim, seed):
    spec = ev.Spec(output_dim=output_dim, seed=seed, context_length=context_length)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        tokens = torch.nn.Embedding(vocab_size, output_dim).weight.detach().numpy()
        positions = torch.nn.Embedding(context_length, output_dim).weight.detach().numpy()
    assert tables.token_table(vocab_size, spec).tobytes() == tokens.tobytes()
    assert tables.position_table(vocab_size, spec).tobytes() == positions.tobytes()


def test_the_books_first_row():
    weights = tables.token_table(6, ev.Spec(output_dim=3, seed=123))
    assert weights[0].round(4).tolist() == pytest.approx([0.3374, -0.1778, -0.1690])
    assert (weights.shape, weights.dtype) == ((6, 3), np.float32)


def test_the_global_generator_is_left_alone(empty_cache):
    state = torch.get_rng_state()
    tables.position_table(100, ev.Spec(output_dim=4, seed=5))
    assert len(empty_cache) == 1
    assert torch.equal(torch.get_rng_state(), state)


def test_tables_are_read_only():
    spec = ev.Spec(output_dim=4)
    for table in (tables.token_table(10, spec), tables.position_table(10, spec)):
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 0


def test_threads_that_ask_at_once_build_a_table_once(empty_cache, monkeypatch):
    built = []
    read_only = tables.read_only
    monkeypatch.setattr(tables, "read_only", lambda weights: built.append(1) or read_only(weights))
    together = threading.Barrier(4)

    def ask(_: int) -> np.ndarray:
        together.wait()
        return tables.token_table(50257, ev.Spec(output_dim=64, seed=9))

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ask, range(4)))
    assert len(built) == 1
    assert all(weights is found[0] for weights in found)


def test_the_table_used_longest_ago_goes_first(empty_cache, monkeypatch):
    specs = [ev.Spec(output_dim=8, seed=seed) for seed in range(3)]
    one = tables.token_table(100, specs[0]).nbytes
    monkeypatch.setattr(empty_cache, "_Cache__maxsize", 2 * one)
    tables.token_table(100, specs[1])
    tables.token_table(100, specs[0])  # used again, so the second is now the older
    tables.token_table(100, specs[2])
    assert [tables.is_ready(100, spec) for spec in specs] == [True, False, True]
    assert empty_cache.currsize == 2 * one


def test_all_tables_together_stay_within_the_budget(empty_cache, monkeypatch):
    assert empty_cache.maxsize == tables.BUDGET_BYTES
    monkeypatch.setattr(empty_cache, "_Cache__maxsize", 100_000)
    for seed in range(30):
        tables.position_table(100 + seed, ev.Spec(output_dim=8, seed=seed, context_length=50))
        held = sum(table.nbytes for table in empty_cache.values())
        assert 0 < held <= 100_000


def test_a_table_that_is_rebuilt_is_the_same(empty_cache):
    spec = ev.Spec(output_dim=8, context_length=16)
    both = (tables.token_table, tables.position_table)
    before = [table(50, spec).tobytes() for table in both]
    for order in (both, both[::-1]):
        tables.reset()
        sources.reset()
        again = {table: table(50, spec).tobytes() for table in order}
        assert [again[table] for table in both] == before


def test_is_ready_only_once_the_table_is_there(empty_cache):
    spec = ev.Spec(output_dim=2)
    assert not tables.is_ready(10, spec)
    tables.token_table(10, spec)
    assert tables.is_ready(10, spec)


def test_a_table_that_is_too_large_is_refused_with_what_would_fit():
    with pytest.raises(ev.EmbedvizError) as error:
        tables.token_table(200_019, ev.Spec(output_dim=1600))
    assert str(error.value) == (
        "A table of 200,019 rows and 1,600 dimensions takes 1,221 MiB; the limit is 512. Try output_dim 671."
    )
    assert 200_019 * 671 * 4 <= tables.MAX_TABLE_BYTES < 200_019 * 672 * 4
