"""What the page "Vocabulary" says of neighbours, computed again: random ones are chance, and no layout keeps them."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import embedviz as ev
from embedviz.vectors import layouts, tables
from embedviz.vocabulary.vocabulary import vocabulary
from pages.vocabulary.contrast import said
from tests.pages import site

N_NEAREST = 10


def nearest(points: np.ndarray) -> np.ndarray:
    """The ten nearest other rows of each row, (N, 10)."""
    distances = cdist(points, points)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1)[:, :N_NEAREST]


def kept(vectors: np.ndarray) -> float:
    """The share of the ten nearest that are among the ten nearest on the t-SNE map too."""
    points = layouts.tsne(vectors, perplexity=30, iterations=250, seed=0, report=lambda *_, **__: None, n_jobs=1)
    pairs = zip(nearest(vectors), nearest(points), strict=True)
    return float(np.mean([len(set(before) & set(after)) for before, after in pairs]) / N_NEAREST)


@pytest.mark.xdist_group("maps")  # in one worker, which compiles their library once
def test_a_map_of_random_vectors_does_not_keep_their_neighbours():
    random = tables.token_table(50257, ev.Spec())[:600]
    groups = np.repeat(np.random.default_rng(0).normal(size=(40, 256)), 15, axis=0)
    assert kept(random) < 0.25
    assert kept(groups + 0.05 * random) > 0.5
    words = said(ev.Spec(), vocabulary(ev.Spec()))
    assert "chance" in words
    assert "a map does not keep them" in words


def test_the_map_does_not_promise_that_neighbours_stay_neighbours():
    about = site.visit("vocabulary").selectbox(key="map").help
    assert "try to keep neighbours together" in about
    assert "random vectors have no groups" in about


def test_random_vectors_are_called_untrained_wherever_they_are_shown():
    for page in ("", "attention"):
        lines = [each.value for each in site.visit(page).caption]
        assert any("untrained" in line and "closeness means nothing" in line for line in lines)


def test_vectors_that_have_learned_are_what_the_page_opens_on():
    assert site.visit("vocabulary").selectbox(key="source").value == "trained"


@pytest.mark.parametrize("pair", [("cat", "dog"), ("big", "small")])
def test_alike_means_used_alike(pair):
    """Two words of a class may stand for each other in the grammar, whatever they mean."""
    spec = ev.Spec(source="trained")
    assert "the nearest one is of the same class" in said(spec, vocabulary(spec))
    run = ev.embed(" ".join(pair), spec).token_embeddings.astype(float)
    alike = run[0] @ run[1] / np.prod(np.linalg.norm(run, axis=1))
    table = tables.token_table(len(vocabulary(spec)), spec).astype(float)
    cosines = table @ run[0] / np.linalg.norm(table, axis=1) / np.linalg.norm(run[0])
    assert alike > np.median(cosines) + 0.2
