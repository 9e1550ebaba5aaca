"""PCA against NumPy's singular values and eigenvectors, and two sentences in one basis: an arrow is a position."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import embedviz as ev
from embedviz.positions import ADDING
from embedviz.vectors.projection import scene

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"


def rows(n_rows: int, n_dims: int, seed: int = 0) -> np.ndarray:
    """Random vectors whose axes have clearly different spreads."""
    random = np.random.default_rng(seed)
    return (random.normal(size=(n_rows, n_dims)) * np.linspace(3, 0.5, n_dims) + 1).astype(np.float32)


def by_svd(vectors: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Axes, shape (n, D), and the share of the variance that each carries."""
    centred = vectors.astype(np.float64) - vectors.astype(np.float64).mean(axis=0)
    _, singular, axes = np.linalg.svd(centred, full_matrices=False)
    return axes[:n], (singular**2 / (singular**2).sum())[:n]


def by_eigenvectors(vectors: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    values, axes = np.linalg.eigh(np.cov(vectors.astype(np.float64).T))
    return axes[:, ::-1].T[:n], (values[::-1] / values.sum())[:n]


@pytest.mark.parametrize("oracle", [by_svd, by_eigenvectors])
@pytest.mark.parametrize(("n_rows", "n_dims"), [(4, 6), (36, 256), (30, 5), (400, 5)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_pca(n_rows, n_dims, n, oracle):
    vectors = rows(n_rows, n_dims)
    found = ev.project(vectors, n=n)
    axes, shares = oracle(vectors, n)
    signs = np.sign((found.components * axes).sum(axis=1))[:, None]
    np.testing.assert_allclose(found.components, signs * axes, atol=1e-8)
    np.testing.assert_allclose(found.explained, shares, rtol=1e-8)
    np.testing.assert_allclose(found.points, (vectors - vectors.mean(axis=0)) @ (signs * axes).T, atol=1e-4)


@pytest.mark.parametrize("centre", [0.0, 5.0])
def test_a_tall_table_keeps_its_float32_and_agrees(centre):
    vectors = rows(12_000, 16) * np.linspace(1, 3, 16, dtype=np.float32) + np.float32(centre)
    found = ev.project(vectors, n=2)
    axes, shares = by_svd(vectors, 2)
    signs = np.sign((found.components * axes).sum(axis=1))[:, None]
    assert found.components.dtype == np.float32
    np.testing.assert_allclose(found.components, signs * axes, atol=1e-5)
    np.testing.assert_allclose(found.explained, shares, rtol=1e-6)
    exact = (vectors - vectors.mean(axis=0, dtype=np.float64)) @ (signs * axes).T
    np.testing.assert_allclose(found.points, exact, atol=2e-4)


@pytest.mark.parametrize("n_rows", [4, 40, 12_000])
def test_the_largest_entry_of_an_axis_is_positive(n_rows):
    vectors = rows(n_rows, 8)
    axes, shares = by_svd(vectors, 3)
    axes *= np.sign([max(axis, key=abs) for axis in axes])[:, None]
    found = ev.project(vectors, n=3)
    np.testing.assert_allclose(found.components, axes, atol=1e-6)
    np.testing.assert_allclose(found.explained, shares, rtol=1e-8)


@pytest.mark.parametrize("n_rows", [40, 12_000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_projected_stays_as_it_is(n_rows, dtype):
    vectors = rows(n_rows, 8).astype(dtype)
    before = vectors.tobytes()
    ev.project(vectors)
    assert vectors.tobytes() == before


def test_shapes_types_and_read_only():
    found = ev.project(rows(10, 6), n=3)
    assert (found.points.shape, found.components.shape, found.mean.shape) == ((10, 3), (3, 6), (6,))
    assert found.points.dtype == np.float32
    for array in (found.points, found.explained, found.components, found.mean):
        assert not array.flags.writeable


def test_the_axes_are_orthonormal_and_in_order():
    found = ev.project(rows(20, 8), n=3)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(3), atol=1e-12)
    assert found.explained.tolist() == sorted(found.explained, reverse=True)
    assert found.explained.sum() < 1


def test_projection_is_affine_also_outside_what_it_was_fitted_on():
    fitted, others = rows(40, 12), rows(6, 12, seed=1) * 5
    found = ev.project(others, fit_on=fitted)
    drawn = found.points[:, None] - found.points[None]
    exact = (others[:, None] - others[None]).astype(np.float64) @ found.components.T
    np.testing.assert_allclose(drawn, exact, atol=1e-5)


def test_fit_on_decides_the_basis():
    fitted = rows(40, 12)
    found = ev.project(rows(3, 12, seed=1), fit_on=fitted)
    assert np.array_equal(found.components, ev.project(fitted).components)
    assert len(found.points) == 3


@pytest.mark.parametrize(
    "vectors",
    [rows(1, 4), np.repeat(rows(1, 4), 5, axis=0), np.zeros((3, 4), np.float32), np.empty((0, 4), np.float32)],
    ids=["one row", "identical rows", "zeros", "no rows"],
)
@pytest.mark.parametrize("n", [2, 3])
def test_data_without_spread_lies_at_the_origin_and_explains_nothing(vectors, n):
    found = ev.project(vectors, n=n)
    assert found.points.tolist() == [[0] * n] * len(vectors)
    assert found.explained.tolist() == [0] * n
    assert not found.components.any()


def test_one_dimension_fills_one_axis():
    found = ev.project(np.array([[0], [2], [4]], np.float32), n=3)
    assert np.abs(found.points).tolist() == [[2, 0, 0], [0, 0, 0], [2, 0, 0]]
    assert found.explained.tolist() == [1, 0, 0]


@pytest.mark.parametrize("n_rows", [2, 3, 50])
def test_data_on_a_line_fills_one_axis(n_rows):
    """The other axes are zero, so that not even what was not fitted gets an arbitrary place on them."""
    line = np.outer(np.arange(n_rows), [3, 4, 0, 0]).astype(np.float32)
    found = ev.project(line, n=3)
    assert np.abs(found.components[0]).tolist() == pytest.approx([0.6, 0.8, 0, 0])
    assert found.explained == pytest.approx([1, 0, 0])
    assert not found.components[1:].any()


def test_the_same_vectors_give_the_same_points_whatever_the_seed():
    vectors = rows(30, 20)
    assert ev.project(vectors, seed=1).points.tobytes() == ev.project(vectors, seed=2).points.tobytes()


NUMBERS = st.floats(width=32, allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, 1.0, 3e38, 1e-44])


@given(vectors=arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=NUMBERS))
def test_every_point_that_is_drawn_is_a_finite_number(vectors):
    try:
        found = ev.project(vectors)
    except ev.EmbedvizError as error:
        assert "not finite" in str(error)  # noqa: PT017 only some of them are refused
        assert not np.isfinite(vectors).all() or np.abs(vectors).max() > 1e38
        return
    assert np.isfinite(vectors).all()
    assert np.isfinite(found.points).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "tsne"}, "method must be one of pca, not 'tsne'"),
        ({"n": 0}, "n must be a whole number from 1 to 3, not 0"),
        ({"n": 4}, "n must be a whole number from 1 to 3, not 4"),
        ({"n": True}, "n must be a whole number from 1 to 3, not True"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        ev.project(rows(5, 5), **arguments)


@pytest.mark.parametrize("position", ["none", *ADDING])
@pytest.mark.parametrize(("a", "b"), [(CAT, MAT), ("the cat", MAT), ("", MAT), (CAT, "")])
def test_an_arrow_is_the_image_of_its_positional_vector(a, b, position, compared):
    s = scene(compared(a, b, position=position, output_dim=32))
    image = s.positions - s.origin
    for tokens, inputs in ((s.tokens_a, s.inputs_a), (s.tokens_b, s.inputs_b)):
        np.testing.assert_allclose(inputs - tokens, image[: len(tokens)], atol=1e-5)


def test_the_basis_is_that_of_all_vectors_together(compared):
    c = compared(CAT, "the mat", output_dim=16)
    groups = [rows for x in (c.a, c.b) for rows in (x.token_embeddings, x.positional_embeddings, x.input_embeddings)]
    fitted = np.concatenate(groups).astype(np.float64)
    _, singular, axes = np.linalg.svd(fitted - fitted.mean(axis=0))
    s = scene(c)
    np.testing.assert_allclose(s.explained, (singular**2 / (singular**2).sum())[:2], rtol=1e-8)
    for drawn, rows in (
        (s.tokens_a, c.a.token_embeddings),
        (s.tokens_b, c.b.token_embeddings),
        (s.inputs_a, c.a.input_embeddings),
        (s.inputs_b, c.b.input_embeddings),
        (s.positions, c.a.positional_embeddings),
        (s.origin[None], np.zeros((1, 16))),
    ):
        np.testing.assert_allclose(np.abs(drawn), np.abs((rows - fitted.mean(axis=0)) @ axes[:2].T), atol=1e-4)


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


def test_one_dimension_is_drawn_on_one_axis(compared):
    s = scene(compared(CAT, MAT, output_dim=1))
    assert s.explained.tolist() == [1, 0]
    assert not s.inputs_a[:, 1:].any()
