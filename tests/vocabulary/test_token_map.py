"""Maps of a vocabulary against scikit-learn's PCA and plain geometry; t-SNE and UMAP in their own process."""

import time

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

import embedviz as ev
from embedviz.base import disk_cache
from embedviz.base.concurrency.jobs import Progress
from embedviz.vectors.projection import REDUCED, reduce
from embedviz.vectors.tables import token_table
from embedviz.vocabulary import token_map
from embedviz.vocabulary.token_map import Map, View, draw, layout, layout_key, place_of
from embedviz.vocabulary.vocabulary import vocabulary, words_of

WORDS = ev.Spec(tokenizer="words", output_dim=64)
GPT2 = ev.Spec(output_dim=64)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """An empty folder for what is kept, and an empty memory."""
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path / "kept"))
    token_map._maps.clear()


def table(spec: ev.Spec) -> np.ndarray:
    return token_table(len(vocabulary(spec)), spec)


def same_up_to_signs(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    signs = np.sign((a * b).sum(axis=0))
    return np.allclose(a, b * signs, atol=tolerance)


def wait(spec: ev.Spec, view: View, visitor: str = "me") -> Map:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        found = layout(spec, view, visitor, start=True)
        if isinstance(found, Map):
            return found
        assert not found.error, found.error
        time.sleep(0.1)
    raise TimeoutError


# Exact maps ----------------------------------------------------------------------------------------------


def test_the_whole_table_by_exact_pca():
    found = draw(GPT2, View())
    oracle = PCA(3, svd_solver="full").fit(table(GPT2).astype(np.float64))
    np.testing.assert_allclose(found.explained, oracle.explained_variance_ratio_, rtol=1e-4)
    assert same_up_to_signs(found.points, oracle.transform(table(GPT2)), 0.02)
    assert np.array_equal(found.ids, np.arange(50_257))
    assert not found.is_part


def test_a_part_is_projected_again_in_its_own_axes():
    only = tuple(range(3, 400, 7))
    found = draw(WORDS, View(only=only))
    oracle = PCA(3, svd_solver="full").fit(table(WORDS)[list(only)].astype(np.float64))
    np.testing.assert_allclose(found.explained, oracle.explained_variance_ratio_, rtol=1e-6)
    assert same_up_to_signs(found.points, oracle.transform(table(WORDS)[list(only)]), 1e-4)
    assert found.ids.tolist() == list(only)
    assert found.is_part


def test_sphereize_centres_and_brings_to_length_one():
    found = draw(WORDS, View(sphereize=True))
    centred = table(WORDS) - table(WORDS).mean(axis=0)
    sphere = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    oracle = PCA(3, svd_solver="full").fit(sphere.astype(np.float64))
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
    assert same_up_to_signs(found.points[:, 1:], PCA(2, svd_solver="full").fit_transform(rest), 1e-3)
    shares = [rows @ difference / length, *PCA(2, svd_solver="full").fit_transform(rest).T]
    total = rows.var(axis=0).sum()
    np.testing.assert_allclose(found.explained, [share.var() / total for share in shares], rtol=1e-5)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(3), atol=1e-8)


def test_a_vector_lies_where_its_token_is_drawn():
    for view in (View(), View(method="axis", ends=(3, 4))):
        found = draw(WORDS, view)
        np.testing.assert_allclose(place_of(WORDS, found, 17), found.points[17], atol=1e-4)


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


@pytest.mark.parametrize("n_dims", [1, 2, 3])
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
    assert all(not array.flags.writeable for array in (first.points, first.ids, first.components, first.mean))


def test_the_memory_for_maps_is_bounded():
    for n in range(80):  # of a megabyte each
        found = draw(ev.Spec(output_dim=1, seed=n), View())
    assert 2**26 - found.nbytes < token_map._maps.currsize <= token_map.BUDGET_BYTES == 2**26


# t-SNE and UMAP ------------------------------------------------------------------------------------------


def clusters() -> np.ndarray:
    random = np.random.default_rng(0)
    centres = random.normal(size=(4, 64)) * 8
    return (centres[np.arange(240) % 4] + random.normal(size=(240, 64))).astype(np.float32)


@pytest.mark.xdist_group("maps")  # in one worker, which compiles their library once
@pytest.mark.parametrize(("method", "sizes"), [("tsne", (2,)), ("umap", (2, 3))])
def test_neighbours_stay_neighbours(method, sizes):
    for n in sizes:  # in one process, since umap-learn is compiled for eight seconds in each
        check_layout(clusters(), method, n)


def check_layout(vectors: np.ndarray, method: str, n: int) -> None:
    found = ev.project(vectors, method=method, n=n, seed=1)
    assert found.points.shape == (240, n)
    assert found.points.dtype == np.float32
    assert np.isnan(found.explained).all()
    assert trustworthiness(vectors, found.points, n_neighbors=10) > 0.8
    near = np.argsort(np.linalg.norm(found.points[:, None] - found.points[None], axis=2), axis=1)[:, 1:6]
    assert (near % 4 == (np.arange(240) % 4)[:, None]).mean() > 0.95


def test_both_get_the_first_fifty_components():
    wide = np.random.default_rng(0).normal(size=(300, 80)).astype(np.float32)
    assert same_up_to_signs(reduce(wide), PCA(REDUCED, svd_solver="full").fit_transform(wide.astype(np.float64)), 1e-3)
    narrow = wide[:, :20]
    assert np.array_equal(reduce(narrow), narrow)


def test_a_layout_is_made_once_and_kept():
    view = View(method="tsne", iterations=50, perplexity=10)
    assert layout(WORDS, view, "me", start=False) is None
    found = wait(WORDS, view)
    assert found.points.shape == (len(words_of(WORDS)), 3)
    assert not found.points[:, 2].any()
    assert np.isnan(found.explained).all()
    token_map._maps.clear()  # as after a restart
    again = layout(WORDS, view, "another", start=False)
    assert np.array_equal(again.points, found.points)
    assert [path.suffix for path in disk_cache.folder().iterdir()] == [".npy"]


def test_a_layout_is_named_by_all_that_it_is_made_of():
    views = [
        View(method="tsne"), View(method="tsne", perplexity=31), View(method="tsne", iterations=501),
        View(method="umap"), View(method="umap", n=3), View(method="umap", min_dist=0.2),
        View(method="umap", n_neighbors=16),
        View(method="tsne", sphereize=True), View(method="tsne", only=(1, 2, 3)),
    ]  # fmt: skip
    specs = [WORDS, ev.Spec(tokenizer="words", output_dim=64, seed=5), ev.Spec(tokenizer="words", output_dim=65)]
    keys = {layout_key(spec, view) for spec in specs for view in views}
    assert len(keys) == len(views) * len(specs)
    assert layout_key(WORDS, views[0]) == layout_key(
        ev.Spec(tokenizer="words", output_dim=64, position="none"), views[0]
    )


def test_cancelling_ends_the_process(monkeypatch):
    monkeypatch.setattr(token_map, "jobs", token_map.line())
    view = View(method="tsne", iterations=2000, perplexity=12)
    key = layout_key(WORDS, view)
    assert isinstance(layout(WORDS, view, "me", start=True), Progress)
    token_map.jobs.leave("me", key)
    deadline = time.monotonic() + 240
    while token_map.jobs._jobs and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not token_map.jobs._jobs
    assert layout(WORDS, view, "me", start=False) is None


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View(method="tsne", only=tuple(range(50))), "perplexity of 30 needs at least 91 tokens, and there are 50"),
        (View(method="umap", only=tuple(range(15))), "15 neighbours needs more than 15 tokens, and there are 15"),
    ],
)
def test_too_few_tokens_are_refused(view, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        layout(WORDS, view, "me", start=True)
    with pytest.raises(ev.EmbedvizError, match="there are"):
        ev.project(clusters()[:12], method=view.method)


def test_what_tsne_cannot_do_is_refused():
    with pytest.raises(ev.EmbedvizError, match="n must be a whole number from 1 to 2"):
        ev.project(clusters(), method="tsne", n=3)
    with pytest.raises(ev.EmbedvizError, match="Leave fit_on out"):
        ev.project(clusters(), method="umap", fit_on=clusters())


def test_equal_vectors_end_a_layout_in_words_and_nothing_is_kept(monkeypatch):
    flat = ev.Spec(tokenizer="words", output_dim=4, seed=77)
    monkeypatch.setattr(token_map, "_table", lambda source: np.ones((len(vocabulary(source)), 4), np.float32))
    deadline = time.monotonic() + 240
    while not (found := layout(flat, View(method="tsne", perplexity=5), "flat", start=True)).error:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert found.error.startswith("All these vectors are equal")
    assert not list(disk_cache.folder().glob("*.npy"))
    assert not draw(flat, View()).points.any()


def test_a_layout_that_is_not_finite_is_never_kept(tmp_path):
    view = View(method="tsne", perplexity=5)
    *_script, finish = token_map._maker("a key", WORDS, view).args
    np.save(tmp_path / "output.npy", np.full((len(words_of(WORDS)), 2), np.nan, np.float32))
    with pytest.raises(ev.EmbedvizError, match="not finite"):
        finish(tmp_path)
    assert disk_cache.load("a key", len(words_of(WORDS))) is None
    assert "a key" not in token_map._maps
