"""A vocabulary as a map: each token of a table, or of a part of it, as a point."""

import threading
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import cachetools
import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.vectors import tables
from embedviz.vectors.projection import project
from embedviz.vectors.sources import Source
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.linear_map import Map, along, map_of
from embedviz.vocabulary.vocabulary import vocabulary

BUDGET_BYTES = 2**26  # all maps in memory together


@dataclass(frozen=True)
class View:
    """The settings of the map that are not in the Spec.

    method: "pca" or "axis". only: IDs of the tokens that are drawn; empty means all. sphereize: if True, the vectors
    are first centred and brought to length 1. ends: IDs of two tokens, for the method "axis".
    """

    method: str = "pca"
    sphereize: bool = False
    only: tuple[int, ...] = ()
    ends: tuple[int, int] = (0, 1)


kept_maps = cachetools.LRUCache[Any, Map](maxsize=BUDGET_BYTES, getsizeof=lambda token_map: token_map.nbytes)
_own: WeakKeyDictionary[Source, dict[tuple, Map]] = WeakKeyDictionary()  # the last map of vectors of one's own
_lock = threading.Condition()


def reset() -> None:
    """Forget all maps, as a new process does."""
    kept_maps.clear()


def draw(spec: Spec, view: View) -> Map:
    """Draw a map, once for all. Raises EmbedvizError for an axis of one token, or for too large a table."""
    settled = _cache_key(spec, view)
    if spec.origin.is_shared:
        return _linear(*settled)
    found = _own.setdefault(spec.origin, {})  # by what the map depends on besides, without what would hold the vectors
    if settled[1:] not in found:
        found.clear()
        found[settled[1:]] = _linear.__wrapped__(*settled)
    return found[settled[1:]]


def is_ready(spec: Spec, view: View) -> bool:
    """True if `draw` has the map already and need not compute it."""
    return _cache_key(spec, view) in kept_maps or _cache_key(spec, view)[1:] in _own.get(spec.origin, {})


def _source(spec: Spec) -> Spec:
    """The Spec without what does not change the token table, so that equal maps have one key."""
    position = spec.origin.decided.get("position", "none")  # a model without a table of positions has its own scheme
    return replace(spec, position=position, position_scale=1.0, prefix_space=True, scale_embeddings=False)


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


def _cache_key(spec: Spec, view: View) -> tuple[Spec, bool, tuple[int, ...], tuple[int, int] | None]:
    """All that a map depends on: what `_linear` takes, and the key of the map."""
    return _source(spec), view.sphereize, view.only, view.ends if view.method == "axis" else None


@cachetools.cached(kept_maps, key=lambda *settled: settled, condition=_lock)
def _linear(source: Spec, sphereize: bool, only: tuple[int, ...], ends: tuple[int, int] | None) -> Map:
    vectors = _vectors(source, sphereize, only)
    if ends is None:
        found = project(vectors)
        return map_of(only, found.points, found.explained)
    if sphereize:
        raise EmbedvizError("An axis between two tokens keeps their distance; turn “Sphereize” off.")
    return along(vectors, _table(source), only, ends)
