"""Learned tables side by side: the rows are those of the files, and each number that is said of them is right."""

import numpy as np
import pytest
import torch
import transformers

from embedviz.base.data_files import DATA
from embedviz.base.errors import EmbedvizError
from embedviz.programs.positions import pytorch_learned_tables
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors import position_tables
from embedviz.vectors.learned_tables import FORMULA, OFFERED, LearnedTable, as_long, learned_table
from embedviz.vectors.sources import NAMES, RANDOM, TRAINED
from tests.models.tiny import made


@pytest.fixture
def tiny(hub_server, tmp_path):
    """Serve the tiny model of a family under a name of our own, and give the model."""

    def serve(family: str) -> transformers.PreTrainedModel:
        model = made(family, with_head=True)
        model.save_pretrained(tmp_path / family)
        hub_server.files[f"tiny/{family}"] = tmp_path / family
        return model

    return serve


def test_those_that_are_offered_are_sources():
    assert set(OFFERED) - {FORMULA.name} <= set(NAMES)


def test_tables_are_compared_as_far_as_the_shortest_goes():
    long, short = learned_table("sinusoidal", 128), learned_table("trained", 128)
    for found, rows in zip(as_long([long, short]), (long.rows, short.rows), strict=True):
        assert np.array_equal(found.rows, rows[:16])
    assert as_long([]) == []


@pytest.mark.parametrize(
    ("family", "table", "offset"),
    [
        ("gpt2", "wpe", 0),
        ("bert", "embeddings.position_embeddings", 0),
        ("opt", "decoder.embed_positions", 2),
        ("roberta", "embeddings.position_embeddings", 2),
    ],
)
def test_the_rows_are_those_of_the_positions_of_the_model(tiny, family, table, offset):
    weight = tiny(family).base_model.get_submodule(table).weight.detach().numpy()
    assert learned_table(f"tiny/{family}", 5).rows.tobytes() == weight[offset : offset + 5].tobytes()
    assert learned_table(f"tiny/{family}", 256).rows.tobytes() == weight[offset:].tobytes()


@pytest.mark.parametrize("family", ["llama", "t5", "bloom"])
def test_a_model_without_a_table_has_none(tiny, family):
    tiny(family)
    assert learned_table(f"tiny/{family}", 5) is None


def test_our_own_tables():
    assert np.array_equal(learned_table("trained", 128).rows, bundled(BUNDLED["default"]).positions[-1])
    random = learned_table("random", 64, 32, 7).rows
    assert np.array_equal(random, position_tables.table("learned", position_tables.TableSettings(32, seed=7)))


@pytest.mark.parametrize("name", ["gpt3", "../x", ""])
def test_what_is_no_source(name):
    with pytest.raises(EmbedvizError):
        learned_table(name, 5)


def table(rows) -> LearnedTable:
    return LearnedTable(RANDOM, np.asarray(rows, np.float32))


def circle(turns: float, n: int = 200) -> LearnedTable:
    angles = 2 * np.pi * turns * np.arange(n) / n
    return table(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_the_cosines_are_those_of_torch():
    rows = np.random.default_rng(1).standard_normal((20, 7)).astype(np.float32)
    expected = torch.nn.functional.cosine_similarity(
        *(torch.tensor(rows).double()[k] for k in (np.s_[:, None], None)), 2
    )
    found = table(rows)
    assert np.allclose(found.cosines, expected.numpy(), atol=1e-12)
    assert found.by_distance[3] == pytest.approx(np.mean([expected[k, k + 3] for k in range(17)]))
    assert found.spread == pytest.approx(rows.std(), rel=1e-6)


def test_positions_on_a_circle_come_back():
    found = circle(4)  # a turn takes 50 positions
    assert found.by_distance == pytest.approx(np.cos(2 * np.pi * np.arange(200) / 50), abs=1e-6)
    assert found.far == 100
    assert not found.near_is_alike  # 100 apart they are the same again


def test_positions_on_an_arc_only_go_away():
    found = circle(0.4)
    assert found.near_is_alike


def test_neighbours_of_a_small_cosine_are_not_called_alike():
    found = learned_table("trained", 128)
    assert 0.2 < found.by_distance[1] < 0.4
    assert found.nearer_is_more_alike
    assert not found.near_is_alike


@pytest.mark.parametrize("n", [2, 3, 16])
def test_a_short_table_is_no_error(n):
    assert table(np.eye(n)).far == n // 2


def test_the_program_prints_the_numbers(run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    printed = run(pytorch_learned_tables([FORMULA, RANDOM, TRAINED], 16, 8, 5))
    for n, name in enumerate(("sinusoidal", "random", "trained")):
        found = learned_table(name, 16, 8, 5)
        assert printed[2 * n] == f"{name} {found.spread:.4g}"
        assert printed[2 * n + 1].split() == [f"{value:.4f}" for value in found.by_distance]
