"""What the page "Vocabulary" says of neighbours, computed again: random ones are chance, and no map keeps them."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

import embedviz as ev
from embedviz.vectors import tables
from embedviz.vocabulary.vocabulary import vocabulary
from pages.vocabulary.contrast import nearness
from tests.pages import site


def test_random_neighbours_are_said_to_be_chance():
    words = nearness(ev.Spec(), vocabulary(ev.Spec()))
    assert "chance" in words
    assert "a map does not keep them" in words


def test_a_map_of_random_vectors_does_not_keep_their_neighbours():
    """The ten nearest of 600 random rows by all dimensions, and on their PCA."""
    random = tables.token_table(50257, ev.Spec())[:600]
    apart = (squareform(pdist(rows)) for rows in (random, ev.project(random).points))
    near = [np.argsort(distances, axis=1)[:, 1:11] for distances in apart]
    kept = np.mean([len({*a} & {*b}) for a, b in zip(*near, strict=True)]) / 10
    assert kept < 0.1


def test_random_vectors_are_called_untrained_wherever_they_are_shown():
    for page, query in (("", {"view": "pairs"}), ("attention", {})):
        lines = [each.value for each in site.visit(page, **query).caption]
        assert any("untrained" in line and "closeness means nothing" in line for line in lines)


@pytest.mark.parametrize("pair", [("cat", "dog"), ("bites", "sees")])
def test_alike_means_used_alike(pair):
    """Two words of a class may stand for each other in the grammar, whatever they mean."""
    spec = ev.Spec(source="trained")
    assert "the nearest one is of the same class" in nearness(spec, vocabulary(spec))
    run = ev.embed(" ".join(pair), spec).token_embeddings.astype(float)
    alike = run[0] @ run[1] / np.prod(np.linalg.norm(run, axis=1))
    table = tables.token_table(len(vocabulary(spec)), spec).astype(float)
    cosines = table @ run[0] / np.linalg.norm(table, axis=1) / np.linalg.norm(run[0])
    assert alike > np.median(cosines) + 0.2
