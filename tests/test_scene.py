"""Two sentences in one PCA basis: adding a position is an arrow."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.scene import scene

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"


@pytest.mark.parametrize("position", ["none", "learned", "sinusoidal"])
@pytest.mark.parametrize(("a", "b"), [(CAT, MAT), ("the cat", MAT), ("", MAT), (CAT, "")])
@pytest.mark.parametrize("n", [2, 3])
def test_an_arrow_is_the_image_of_its_positional_vector(n, a, b, position, compared):
    s = scene(compared(a, b, position=position, output_dim=32), n)
    image = s.positions - s.origin
    for tokens, inputs in ((s.tokens_a, s.inputs_a), (s.tokens_b, s.inputs_b)):
        np.testing.assert_allclose(inputs - tokens, image[: len(tokens)], atol=1e-5)


@pytest.mark.parametrize("n", [2, 3])
def test_the_basis_is_that_of_all_vectors_together(n, compared):
    c = compared(CAT, "the mat", output_dim=16)
    groups = [rows for x in (c.a, c.b) for rows in (x.token_embeddings, x.positional_embeddings, x.input_embeddings)]
    fitted = np.concatenate(groups).astype(np.float64)
    _, singular, axes = np.linalg.svd(fitted - fitted.mean(axis=0))
    s = scene(c, n)
    np.testing.assert_allclose(s.explained, (singular**2 / (singular**2).sum())[:n], rtol=1e-8)
    for drawn, rows in (
        (s.tokens_a, c.a.token_embeddings),
        (s.tokens_b, c.b.token_embeddings),
        (s.inputs_a, c.a.input_embeddings),
        (s.inputs_b, c.b.input_embeddings),
        (s.positions, c.a.positional_embeddings),
        (s.origin[None], np.zeros((1, 16))),
    ):
        np.testing.assert_allclose(np.abs(drawn), np.abs((rows - fitted.mean(axis=0)) @ axes[:n].T), atol=1e-4)


def test_tokens_that_share_an_id_share_a_point(compared):
    c = compared(CAT, MAT)
    s = scene(c)
    for pair in c.pairs:
        assert np.allclose(s.tokens_a[pair.i], s.tokens_b[pair.j], atol=1e-5)
        assert not np.allclose(s.inputs_a[pair.i], s.inputs_b[pair.j], atol=0.1)


@pytest.mark.parametrize(("a", "b", "n_positions"), [(CAT, "the", 6), ("the", CAT, 6), ("", "", 0), ("", "the", 1)])
def test_there_are_positions_for_the_longer_sentence(a, b, n_positions, compared):
    s = scene(compared(a, b, output_dim=8))
    assert s.positions.shape == (n_positions, 2)
    assert s.origin.shape == (2,)


def test_without_positions_every_arrow_has_no_length(compared):
    s = scene(compared(CAT, MAT, position="none", output_dim=8))
    assert np.array_equal(s.tokens_a, s.inputs_a)
    assert np.array_equal(s.positions, np.tile(s.origin, (6, 1)))


@pytest.mark.parametrize("n", [2, 3])
def test_one_dimension_is_drawn_on_one_axis(n, compared):
    s = scene(compared(CAT, MAT, output_dim=1), n)
    assert s.explained.tolist() == [1] + [0] * (n - 1)
    assert not s.inputs_a[:, 1:].any()


def test_four_axes_are_refused(compared):
    with pytest.raises(ev.EmbedvizError, match="from 1 to 3"):
        scene(compared(CAT, MAT, output_dim=8), 4)
