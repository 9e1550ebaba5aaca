"""The models whose layers can be run on this machine."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import cachetools

from embedviz import models
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.layers.model import needed_bytes
from embedviz.models import families, full_weights, local
from embedviz.models.full_weights import FullWeights
from embedviz.models.installed import SECONDS


def runnable() -> Mapping[str, str]:
    """The names of the models that can be run, the clearest first, each with its kind: "encoder" or "causal".

    They are those of `models.here` that are whole and small enough for EMBEDVIZ_FORWARD_MIB.
    """
    return _runnable(models.installed(), configured().forward_mib)


def look_again() -> None:
    """Forget what was found, since another model has come."""
    for found_before in (models.installed, _runnable, local.find):
        found_before.cache_clear()


def reset() -> None:
    """Forget each model's kind too, as a new process does."""
    look_again()
    _kind.cache_clear()


@cachetools.cached(cachetools.LRUCache(64), condition=Waiting())
def _kind(model: FullWeights, _limit: int) -> str:
    """What a model is, whose files need not be opened again while they are the same."""
    needed_bytes(model)
    return families.layout(model.values()).kind


@cachetools.cached(cachetools.TTLCache(8, SECONDS), condition=Waiting())
def _runnable(names: tuple[str, ...], _limit: int) -> Mapping[str, str]:
    return MappingProxyType({name: kind for name in names for kind in _kinds(name)})


def _kinds(name: str) -> Iterator[str]:
    try:
        yield _kind(full_weights.find(name), configured().forward_mib)
    except EmbedvizError:  # whatever is wrong with it, `forward` says so to who asks for it
        return
