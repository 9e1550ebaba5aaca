"""A vocabulary as a map: each token of a table, or of a part of it, as a point."""

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from weakref import WeakKeyDictionary

import cachetools
import numpy as np

from embedviz.base import disk_cache
from embedviz.base.checks import check_finite
from embedviz.base.concurrency import processes
from embedviz.base.concurrency.jobs import Job, Jobs, Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.vectors import layouts, tables
from embedviz.vectors.projection import check_enough, project, reduce
from embedviz.vectors.sources import Own
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.linear_map import Map, along, map_of
from embedviz.vocabulary.vocabulary import vocabulary

BUDGET_BYTES = 2**26  # all maps in memory together
_PACKAGES = {"tsne": "openTSNE", "umap": "umap-learn"}


@dataclass(frozen=True)
class View:
    """The settings of the map that are not in the Spec.

    only: IDs of the tokens that are drawn; empty means all. sphereize: if True, the vectors are first centred and
    brought to length 1. ends: IDs of two tokens, for the method "axis". The rest are settings of t-SNE and UMAP.
    """

    method: str = "pca"
    sphereize: bool = False
    only: tuple[int, ...] = ()
    ends: tuple[int, int] = (0, 1)
    n: int = 2
    perplexity: float = 30.0
    iterations: int = 500
    n_neighbors: int = 15
    min_dist: float = 0.1
    seed: int = 0


def fitted(view: View, n_tokens: int) -> View:
    """The view, with no larger a perplexity or number of neighbours than so many tokens allow."""
    return replace(
        view,
        perplexity=min(view.perplexity, max(1.0, (n_tokens - 1) // 3)),
        n_neighbors=min(view.n_neighbors, max(2, n_tokens - 1)),
    )


_maps: cachetools.LRUCache = cachetools.LRUCache(maxsize=BUDGET_BYTES, getsizeof=lambda token_map: token_map.nbytes)
_own: WeakKeyDictionary[Own, dict[tuple, Map]] = WeakKeyDictionary()  # the last map of vectors of one's own
_lock = threading.Condition()


def draw(spec: Spec, view: View) -> Map:
    """Draw an exact map, once for all. Raises EmbedvizError for an axis of one token, or for too large a table."""
    settled = _settled(spec, view)
    if spec.origin.is_shared:
        return _linear(*settled)
    found = _own.setdefault(spec.origin, {})  # by what the map depends on besides, without what would hold the vectors
    if settled[1:] not in found:
        found.clear()
        found[settled[1:]] = _linear.__wrapped__(*settled)
    return found[settled[1:]]


def place_of(spec: Spec, token_map: Map, id_: int) -> np.ndarray:
    """Where a token, drawn or not, lies in the basis of an exact map of unchanged vectors; shape (3,)."""
    return token_map.place(_table(_source(spec))[id_])


def is_ready(spec: Spec, view: View) -> bool:
    """True if `draw` has the map already and need not compute it."""
    return _settled(spec, view) in _maps or _settled(spec, view)[1:] in _own.get(spec.origin, {})


def line(at_once: int = 1, most_waiting: int = 1000) -> Jobs:
    """A line of layouts that wait to be made."""
    return Jobs("projection", _maps.get, at_once=at_once, most_waiting=most_waiting)


jobs = line(configured().projections, configured().waiting_projections)  # shared by all visitors


def layout(spec: Spec, view: View, visitor: str, *, start: bool) -> Map | Progress | None:
    """The map by t-SNE or UMAP, or how far it is; None if there is no such map and none is to be started.

    Raises EmbedvizError if there are too few tokens for the settings, too many maps wait, or this server makes none.
    """
    source = _source(spec)
    n_tokens = len(view.only) or len(vocabulary(source))
    check_enough(n_tokens, view.method, perplexity=view.perplexity, n_neighbors=view.n_neighbors)
    key = layout_key(source, view)
    found = _maps.get(key) or _from_disk(key, source, view, n_tokens)
    if found:
        return found
    if not jobs.at_once:
        raise EmbedvizError(
            "This server computes no maps by t-SNE and UMAP, which take much memory. PCA and axes are here; "
            "embedviz on your own machine has all four."
        )
    if not start:
        return None

    progress = jobs.look(key, visitor)
    if progress is None:
        jobs.ask(visitor, {key: Job(_maker(key, source, view))})
        progress = jobs.look(key, visitor)
    return progress and (progress.result or progress)


def _maker(key: str, source: Spec, view: View) -> Callable[[Job, Callable[[], bool]], bool]:
    """A function that has a layout made by a separate process, and keeps it."""

    def prepare(folder: Path) -> None:
        np.save(folder / "input.npy", reduce(_vectors(source, view.sphereize, view.only)), allow_pickle=False)
        (folder / "settings.json").write_text(json.dumps(_settings(view)), "utf-8")

    def finish(folder: Path) -> None:
        points = np.load(folder / "output.npy", allow_pickle=False)
        check_finite(points)
        disk_cache.save(key, points)
        _remembered(key, points, source, view)

    return partial(processes.run_in_folder, Path(layouts.__file__), prepare, finish)


def layout_key(spec: Spec, view: View) -> str:
    """A name for a layout, made from the table's bytes, the settings, and the package with its version."""
    source = _source(spec)
    name = _PACKAGES[view.method]
    settings = {**_settings(view), "sphereize": view.sphereize, "package": f"{name} {version(name)}"}
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    digest.update(np.array(view.only, np.int64).tobytes())
    digest.update(_fingerprint(source).encode())
    return digest.hexdigest()[:32]


def _settings(view: View) -> dict[str, object]:
    if view.method == "tsne":
        return {"method": "tsne", "perplexity": view.perplexity, "iterations": view.iterations, "seed": view.seed}
    return {
        "method": "umap", "n_neighbors": view.n_neighbors, "min_dist": view.min_dist, "n": view.n, "seed": view.seed
    }  # fmt: skip


def _source(spec: Spec) -> Spec:
    """The Spec without what does not change the token table, so that equal maps have one key."""
    position = spec.origin.decided.get("position", "none")  # a model without a table of positions has its own scheme
    return replace(spec, position=position, position_scale=1.0, prefix_space=True, scale_embeddings=False)


@cachetools.cached(cachetools.LRUCache(maxsize=64), condition=threading.Condition())
def _fingerprint(source: Spec) -> str:
    return hashlib.sha256(_table(source)).hexdigest()


def _table(source: Spec) -> np.ndarray:
    return tables.token_table(len(vocabulary(source)), source)


def _vectors(source: Spec, sphereize: bool, only: tuple[int, ...]) -> np.ndarray:
    table = _table(source)
    rows = table[list(only)] if only else table  # (N, D)
    if not sphereize:
        return rows
    rows = rows - rows.mean(axis=0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=rows, where=lengths > 0)


def _settled(spec: Spec, view: View) -> tuple[Spec, bool, tuple[int, ...], tuple[int, int] | None]:
    """All that an exact map depends on: what `_linear` takes, and the key of the map."""
    return _source(spec), view.sphereize, view.only, view.ends if view.method == "axis" else None


@cachetools.cached(_maps, key=lambda *settled: settled, condition=_lock)
def _linear(source: Spec, sphereize: bool, only: tuple[int, ...], ends: tuple[int, int] | None) -> Map:
    vectors = _vectors(source, sphereize, only)
    if ends is None:
        found = project(vectors, n=3)
        return map_of(only, found.points, found.explained, found.components, found.mean)
    if sphereize:
        raise EmbedvizError("An axis between two tokens keeps their distance; turn “Sphereize” off.")
    return along(vectors, _table(source), only, ends)


def _from_disk(key: str, source: Spec, view: View, n_tokens: int) -> Map | None:
    points = disk_cache.load(key, n_tokens)
    return None if points is None or points.shape[1] not in (2, 3) else _remembered(key, points, source, view)


def _remembered(key: str, points: np.ndarray, source: Spec, view: View) -> Map:
    n_dims = _table(source).shape[1]
    found = map_of(view.only, points, np.full(3, np.nan), np.zeros((0, n_dims)), np.zeros(n_dims))
    with _lock:
        _maps[key] = found
    return found
