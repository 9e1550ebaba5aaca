"""Maps of a vocabulary against scikit-learn's PCA and plain geometry."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

import embedviz as ev
from embedviz.vectors.tables import token_table
from embedviz.vocabulary import token_map
from embedviz.vocabulary.token_map import View, draw
from embedviz.vocabulary.vocabulary import vocabulary

WORDS = ev.Spec(tokenizer="words", output_dim=64)
GPT2 = ev.Spec(output_dim=64)


@pytest.fixture(autouse=True)
def _memory():
    """An empty memory."""
    token_map.reset()


def table(spec: ev.Spec) -> np.ndarray:
    return token_table(len(vocabulary(spec)), spec)


def same_up_to_signs(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    signs = np.sign((a * b).sum(axis=0))
    return np.allclose(a, b * signs, atol=tolerance)


def test_the_whole_table_by_exact_pca():
    found = draw(GPT2, View())
    oracle = PCA(2, svd_solver="full").fit(table(GPT2).astype(np.float64))
    np.testing.assert_allclose(found.explained, oracle.explained_variance_ratio_, rtol=1e-4)
    assert same_up_to_signs(found.points, oracle.transform(table(GPT2)), 0.02)
    assert np.array_equal(found.ids, np.arange(50_257))
    assert not found.is_part


def test_a_part_is_projected_again_in_its_own_axes():
    only = tuple(range(3, 400, 7))
    found = draw(WORDS, View(only=only))
    oracle = PCA(2, svd_solver="full").fit(table(WORDS)[list(only)].astype(np.float64))
    np.testing.assert_allclose(found.explained, oracle.explained_variance_ratio_, rtol=1e-6)
    assert same_up_to_signs(found.points, oracle.transform(table(WORDS)[list(only)]), 1e-4)
    assert found.ids.tolist() == list(only)
    assert found.is_part


def test_sphereize_centres_and_brings_to_length_one():
    found = draw(WORDS, View(sphereize=True))
    centred = table(WORDS) - table(WORDS).mean(axis=0)
    sphere = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    oracle = PCA(2, svd_solver="full").fit(sphere.astype(np.float64))
    assert same_up_to_signs(found.points, oracle.transform(sphere), 1e-4)
    assert np.linalg.norm(found.points, axis=1).max() <= 1.2


def test_an_axis_leads_from_one_token_to_another():
    spec, (start, end) = WORDS, (10, 200)
    found = draw(spec, View(method="axis", ends=(start, end)))
    rows = table(spec).astype(np.float64)
    difference = rows[end] - rows[start]
    length = np.linalg.norm(difference)
    np.testing.assert_allclose(found.points[:, 0], (rows - rows[start]) @ difference / length, atol=1e-4)
    assert found.points[start, 0] == pytest.approx(0, abs=1e-5)
    assert found.points[end, 0] == pytest.approx(length, rel=1e-5)
    rest = rows - np.outer(rows @ difference / length, difference / length)
    assert same_up_to_signs(found.points[:, 1:], PCA(1, svd_solver="full").fit_transform(rest), 1e-3)
    shares = [rows @ difference / length, *PCA(1, svd_solver="full").fit_transform(rest).T]
    total = rows.var(axis=0).sum()
    np.testing.assert_allclose(found.explained, [share.var() / total for share in shares], rtol=1e-5)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View(method="axis", ends=(5, 5)), "two tokens with different vectors"),
        (View(method="axis", ends=(5, 6), sphereize=True), "turn “Sphereize” off"),
    ],
)
def test_an_axis_that_is_none_is_refused(view, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        draw(WORDS, view)


@pytest.mark.parametrize("n_dims", [1, 2])
@pytest.mark.parametrize("view", [View(), View(sphereize=True), View(method="axis", ends=(0, 1))])
def test_few_dimensions_leave_the_other_axes_empty(n_dims, view):
    found = draw(ev.Spec(tokenizer="words", output_dim=n_dims), view)
    assert np.isfinite(found.points).all()
    assert not np.abs(found.points[:, n_dims:]).max(initial=0) > 1e-5


def test_equal_maps_have_one_name_and_what_does_not_matter_makes_no_other():
    first, again = draw(WORDS, View()), draw(ev.Spec(tokenizer="words", output_dim=64, position="none"), View())
    assert first is again
    digests = {draw(WORDS, view).digest for view in (View(), View(sphereize=True), View(only=(1, 2, 3)))}
    assert len(digests) == 3
    assert all(not array.flags.writeable for array in (first.points, first.ids, first.explained))


def test_the_memory_for_maps_is_bounded():
    for n in range(90):  # of 0.8 MB each
        found = draw(ev.Spec(output_dim=1, seed=n), View())
    assert 2**26 - found.nbytes < token_map.kept_maps.currsize <= token_map.BUDGET_BYTES == 2**26
