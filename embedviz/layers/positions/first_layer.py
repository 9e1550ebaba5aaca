"""What a causal model's first attention layer makes of two sentences: its own queries, keys and values.

Nothing but a token's ID and its place decides what the first layer gets of it. So each ID, at each place where it
stands, goes through the model once for both sentences, and copies have the same bits.
"""

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

import cachetools
import numpy as np
import torch

from embedviz.attention.attention import Projected, weighted
from embedviz.base.arrays import read_only
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.layers import model_queue
from embedviz.layers.positions.caught import caught
from embedviz.layers.positions.watched import PLACED, passed
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights
from embedviz.training.next_word import gpt
from embedviz.training.run import Run

_CLOSE = 1e-3  # by so much a weight may differ from the model's own, which float32 rounds in another order
_ELSEWHERE = ("Falcon", "GPT-Neo", "gpt-oss")  # no queries are handed to attention, or sinks belong to the layer
_KEPT_BYTES = 2**25


class FirstLayer(NamedTuple):
    """Of sentence A and of B, without positions and with those that the model was trained with."""

    plain: tuple[Projected, Projected]
    trained: tuple[Projected, Projected]

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays."""
        return sum(array.nbytes for both in self for each in both for array in each[:3])

    @property
    def reads_positions(self) -> bool:
        """Whether positions change anything that the layer gets."""
        return self.trained is not self.plain


def has_first_layer(source: str) -> bool:
    """Whether a model is one whose first layer can be read, by what its config.json says."""
    layout = hub_model(source).layout()
    return layout.kind == "causal" and layout.scheme in PLACED and layout.title not in _ELSEWHERE


def first_layer(source: str | Run, a: Sequence[int], b: Sequence[int]) -> FirstLayer:
    """Read the first layer of a causal model on this machine, or of a run of the small GPT, for the IDs of A and B.

    a, b: one ID at least, and no more than the model has positions for; `embed_tokens` refuses others.
    Raises EmbedvizError for a model that is not whole here, and for one whose first layer cannot be read.
    """
    if isinstance(source, Run):
        return _of_run(source, a, b)
    whole = model_queue.find(source)
    layer = _once(whole, tuple(a), tuple(b)) if has_first_layer(source) else None
    if layer is None:
        raise EmbedvizError("The first attention layer of {model} cannot be read. Choose another model.", model=source)
    return layer


@torch.inference_mode()
def _of_run(run: Run, a: Sequence[int], b: Sequence[int]) -> FirstLayer:
    model = gpt(run)

    def project(ids: np.ndarray, places: np.ndarray, scale: float) -> Projected:
        x, angles = model.enter(torch.tensor(ids)[None], torch.eye(model.shape.context_length)[places] * scale)
        parts = [part[0].numpy() for part in model.blocks[0].heads(x, angles)]
        return Projected(*parts, scaling=parts[0].shape[-1] ** -0.5)

    return _of_pairs(project, a, b)


@cachetools.cached(
    cachetools.LRUCache(_KEPT_BYTES, getsizeof=lambda found: found.nbytes if found else 1), condition=Waiting()
)
def _once(whole: FullWeights, a: tuple[int, ...], b: tuple[int, ...]) -> FirstLayer | None:
    return model_queue.in_line(whole, _read, a, b)


def _read(whole: FullWeights, a: tuple[int, ...], b: tuple[int, ...], unwanted: threading.Event) -> FirstLayer | None:
    """The layer; None if the model's class does not hand over what makes its weights."""
    loaded = model_queue.ready(whole, unwanted)
    places = np.arange(len(a))
    if not caught(loaded, np.array([a]), places, only_first=True).queries:
        return None

    def project(ids: np.ndarray, places: np.ndarray, scale: float) -> Projected:
        found = caught(loaded, ids[None], places, scale=scale, only_first=True)
        query, key, value = (each[0][0] for each in found[:3])
        n_alike = len(query) // len(key)  # heads that share a key
        key, value = (each.repeat_interleave(n_alike, dim=0) for each in (key, value))
        return Projected(query.numpy(), key.numpy(), value.numpy(), found.scalings[0], found.caps[0])

    layer = _of_pairs(project, a, b)
    for ids, mine in zip((a, b), layer.trained, strict=True):
        own = passed(loaded, np.array([ids]), np.arange(len(ids))).weights[0][0].numpy()
        if not np.allclose(weighted(mine, causal=True).weights, own, rtol=0, atol=_CLOSE):
            return None
    return layer


def _of_pairs(
    project: Callable[[np.ndarray, np.ndarray, float], Projected], a: Sequence[int], b: Sequence[int]
) -> FirstLayer:
    """Both sentences with and without positions. project: N IDs at their places, with positions times a number."""
    at = [*enumerate(a), *enumerate(b)]
    known, rows = np.unique(np.array(at), axis=0, return_inverse=True)
    places, ids = known.T
    on, off = (project(ids, places, scale) for scale in (1.0, 0.0))
    # Processors round the rows of one product differently, by its size and by where a row lies in it. So copies share
    # a row where there are no positions, and a layer that reads none is one that gives the same for the same rows.
    _found, first, of_id = np.unique(ids, return_index=True, return_inverse=True)
    plain = _of_both(off, first[of_id][rows.ravel()], len(a))
    reads = not all(map(np.array_equal, on[:3], off[:3]))
    return FirstLayer(plain, _of_both(on, rows.ravel(), len(a)) if reads else plain)


def _of_both(projected: Projected, rows: np.ndarray, n_a: int) -> tuple[Projected, Projected]:
    """What tokens of A and of B have, of what each of them has in its row."""

    def sentence(part: np.ndarray) -> Projected:
        queries, keys, values = (read_only(each[:, part].astype(np.float32)) for each in projected[:3])
        return projected._replace(queries=queries, keys=keys, values=values)

    return sentence(rows[:n_a]), sentence(rows[n_a:])
