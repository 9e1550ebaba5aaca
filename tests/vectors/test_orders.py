"""Sentences as points, against vectors that are laid side by side by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import embedviz as ev
from embedviz.text.orders import orders
from embedviz.vectors.orders import SentenceMap, sentence_map

texts = st.lists(st.sampled_from(["the", "cat", "sat", "mat"]), min_size=2, max_size=5).map(" ".join)


def laid(embedded: list[ev.Embedded], name: str) -> np.ndarray:
    """Each sentence as one long vector: its tokens sorted by ID, copies from left to right."""
    rows = []
    for each in embedded:
        order = sorted(range(len(each.tokens)), key=lambda n, ids=each.tokens.ids: ids[n])
        rows.append(getattr(each, name)[order].ravel())
    return np.array(rows, np.float64)


def spread_of(embedded: list[ev.Embedded]) -> SentenceMap:
    ids = [each.tokens.ids for each in embedded]
    return sentence_map(ids, [each.token_embeddings for each in embedded], [each.input_embeddings for each in embedded])


@settings(deadline=None, max_examples=30)
@given(texts, st.sampled_from(["learned", "sinusoidal"]))
def test_orders_are_one_point_until_positions_are_added(text, position):
    spec = ev.Spec(output_dim=16, position=position)
    embedded = [ev.embed(each, spec) for each in orders(text).texts]
    found = spread_of(embedded)
    assert found.n_before == 1
    assert (found.before == 0).all()
    assert found.n_after == len(embedded)
    starts, ends = laid(embedded, "token_embeddings"), laid(embedded, "input_embeddings")
    np.testing.assert_allclose(found.after, cdist(ends, ends), atol=1e-6)
    np.testing.assert_allclose(found.before, cdist(starts, starts), atol=1e-6)


def test_the_points_are_those_of_pca():
    embedded = [ev.embed(each, ev.Spec(output_dim=16)) for each in orders("dog bites man").texts]
    found = spread_of(embedded)
    both = np.concatenate([laid(embedded, "token_embeddings"), laid(embedded, "input_embeddings")])
    wanted = ev.project(both.astype(np.float32))
    points = np.concatenate([found.starts, found.ends])
    np.testing.assert_allclose(np.abs(points), np.abs(wanted.points), atol=1e-3)
    np.testing.assert_allclose(found.explained, wanted.explained, atol=1e-5)


def test_sentences_of_other_tokens_are_apart_before_and_two_equal_ones_are_one():
    embedded = [
        ev.embed(each, ev.Spec(output_dim=8)) for each in ("dog bites man", "man bites dog", "dog bites man", "no")
    ]
    found = spread_of(embedded)
    assert (found.n_before, found.n_after) == (2, 3)
    assert found.after[0, 2] == 0
    assert 3 in found.farthest or found.farthest == (0, 1)
    lacking = np.sqrt(
        (embedded[0].token_embeddings.astype(float) ** 2).sum() + (embedded[3].token_embeddings ** 2).sum()
    )
    assert found.before[0, 3] == pytest.approx(lacking)


def test_one_sentence_is_a_point_that_explains_nothing():
    found = spread_of([ev.embed("no", ev.Spec(output_dim=8, position="none"))])
    assert (found.n_before, found.n_after, found.explained.tolist()) == (1, 1, [0, 0])
