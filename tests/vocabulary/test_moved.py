"""A token's neighbours with a position, against brute force."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.vectors.neighbours import METRICS
from embedviz.vectors.tables import position_table, token_table
from embedviz.vocabulary.moved import moved

SPEC = ev.Spec(output_dim=16)
SIZE = 9000  # rows: more than one part of the table


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scheme", ["learned", "sinusoidal"])
def test_rank_and_neighbours_of_the_sum(scheme, metric):
    table = token_table(SIZE, SPEC).astype(np.float64)
    place = ev.positions.sinusoidal.table(8, 16)[7] if scheme == "sinusoidal" else position_table(SIZE, SPEC)[7]
    found = moved(8200, 7, SPEC, SIZE, scheme=scheme, k=5, metric=metric)
    total = (table[8200].astype(np.float32) + place).astype(np.float64)
    assert np.array_equal(found.total, total.astype(np.float32))
    if metric == "euclidean":
        order = np.argsort(np.linalg.norm(table - total, axis=1), kind="stable")
    else:
        order = np.argsort(-(table @ total) / np.linalg.norm(table, axis=1), kind="stable")
    assert found.after.ids.tolist() == order[:5].tolist()
    assert found.rank == order.tolist().index(8200) + 1
    assert found.before.ids[0] == 8200
    assert found.distance == pytest.approx(np.linalg.norm(place), rel=1e-6)


def test_the_sum_is_what_the_model_gets():
    embedded = ev.embed("on the mat the cat", ev.Spec())
    id_ = embedded.tokens.ids[4]
    found = moved(id_, 4, ev.Spec(), 50_257, scheme="learned", k=3, metric="cosine")
    assert np.array_equal(found.total, embedded.input_embeddings[4])


@pytest.mark.parametrize(
    ("position", "spec", "scheme", "message"),
    [
        (1024, SPEC, "learned", "its positions are 0 to 1023"),
        (3, ev.Spec(output_dim=15), "sinusoidal", r"Sinusoidal positions need .*; 15 is odd\. Try 16\."),
    ],
)
def test_positions_that_are_none_are_refused(position, spec, scheme, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        moved(0, position, spec, 100, scheme=scheme, k=3, metric="cosine")
