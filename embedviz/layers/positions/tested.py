"""Which layers of a model read positions, as measured on its own weights: the same tokens stand at other positions."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cachetools
import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, translated
from embedviz.layers import model_queue
from embedviz.layers.model import Model
from embedviz.layers.positions.caught import caught
from embedviz.layers.positions.watched import PLACED, Pass, passed
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights
from embedviz.text.samples import usual_pair
from embedviz.training.model import GPT
from embedviz.training.next_word import gpt
from embedviz.training.run import Run
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec

_ADDED = ("learned", "sinusoidal")  # before the first layer
_MOST = 12  # tokens, so that the shortest table of positions has room for three times as many
APART = 3  # times as far as usual
# Of what changes where tokens are farther apart: a scheme that reads distances alone changes by rounding, when all
# tokens move by as much.
_ROUNDING = 0.01
_DECLARED = {  # by the positions of a small GPT
    "learned": N_("{model} adds a learned vector for each position; its table has {context_length:,} of them."),
    "rope": N_(
        "{model} adds nothing to the vectors: it turns queries and keys inside attention (RoPE, base {theta:,.0f})."
    ),
    "none": N_("{model} adds nothing to the vectors and turns nothing: it was trained without positions."),
}


class _Changes(NamedTuple):
    """What other positions change: of what enters the first layer, and of each layer's weights and output."""

    input_change: float
    weights: np.ndarray
    outputs: np.ndarray


_Measured = tuple[_Changes, _Changes, np.ndarray | None]  # apart, moved, and queries and keys apart


@dataclass(frozen=True)
class PositionTest:
    """Which layers of a model read positions. All arrays are read-only float32 of shape (n_layers,).

    Each layer gets what has left the layer before it as usual; its tokens alone stand elsewhere. Tokens stand three
    times as far apart, and, for what ends in `_moved`, all of them equally later.

    ids: the tokens that were read. later: by how many positions all of them were moved.
    declared: what the model's files say, in whole sentences. schemes: what they say of each layer, "rope" or "none"
        (n_layers,). is_added: whether they say that something is added for positions.
    input_change, input_moved: the largest change of what enters the first layer, as a share of its largest number: 0
        where nothing is added for positions.
    weights, weights_moved: the largest change of an attention weight.
    outputs, outputs_moved: that of what leaves the layer, as a share of its largest number.
    queries_keys: that of the queries and keys that attention compares, where tokens stand farther apart, as a share of
        their largest number. None if the model's class does not hand them over.
    """

    model: str
    ids: tuple[int, ...]
    later: int
    declared: str
    schemes: tuple[str, ...]
    is_added: bool
    input_change: float
    weights: np.ndarray
    outputs: np.ndarray
    input_moved: float
    weights_moved: np.ndarray
    outputs_moved: np.ndarray
    queries_keys: np.ndarray | None

    @property
    def tokens(self) -> int:
        """How many tokens were read."""
        return len(self.ids)

    @property
    def reads(self) -> np.ndarray:
        """Whether each layer reads positions itself, bool (n_layers,). One that does not computes the same bits."""
        return read_only((self.weights > 0) | (self.outputs > 0))

    @property
    def reads_distances(self) -> np.ndarray:
        """Whether it reads how far tokens are apart and not where they stand, bool (n_layers,)."""
        return read_only(self.reads & (self.weights_moved <= _ROUNDING * self.weights))

    @property
    def as_declared(self) -> np.ndarray:
        """Whether each layer does what the model's files say of it, bool (n_layers,)."""
        return read_only(self.reads == (np.array(self.schemes) != "none"))


def positions_of(source: str | Run) -> PositionTest:
    """Test which layers of a model read positions: the same tokens stand at other ones.

    source: a model on this machine, or a run of the small GPT. Raises EmbedvizError as `forward` does, and for a model
    whose layers count the distances of tokens themselves, as with ALiBi: its tokens cannot be put elsewhere.
    """
    if isinstance(source, Run):
        return _of_run(source)
    layout = hub_model(source).layout()
    if layout.scheme not in PLACED:
        raise EmbedvizError(
            "{model} cannot be tested: its layers count the distances of tokens themselves, so that no token can be "
            "put elsewhere. {about}",
            model=source,
            about=layout.about(source),
        )
    whole, ids = model_queue.find(source), tuple(tokenize_for(usual_pair().a, Spec(source=source)).ids[:_MOST])
    schemes, is_added, (apart, moved, queries_keys) = _measured(whole, ids)
    about = layout.about(source)
    return PositionTest(source, ids, _later(len(ids)), about, schemes, is_added, *apart, *moved, queries_keys)


def _of_run(run: Run) -> PositionTest:
    """The same of a small GPT, whose table of positions has room for fewer tokens."""
    most = run.settings.context_length
    ids_known, scheme = _ids(run), run.settings.positions
    n_tokens = min((most - 1) // APART + 1, len(ids_known))
    ids = ids_known[:n_tokens]
    model, places = gpt(run), np.arange(n_tokens)

    def run_at(at: np.ndarray, inputs: Sequence[torch.Tensor] = ()) -> Pass:
        return _passed_by_gpt(model, torch.tensor([ids]), at, inputs)

    def compared_at(at: np.ndarray, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        return _compared_by_gpt(model, at, inputs)

    later = most - n_tokens
    apart, moved, queries_keys = _changes_at(run_at, compared_at, places, APART * places, places + later)
    declared = translated(_DECLARED[scheme], model=_("small GPT"), context_length=most, theta=10_000)
    kinds = (scheme if scheme == "rope" else "none",) * run.settings.n_layers
    is_added = scheme == "learned"
    return PositionTest("small GPT", tuple(ids), later, declared, kinds, is_added, *apart, *moved, queries_keys)


def _ids(run: Run) -> list[int]:
    """The words of the usual sentence, or the first ones of a vocabulary that lacks one of them."""
    words = usual_pair().a.split()
    return [run.vocabulary.index(word) for word in (words if {*words} <= {*run.vocabulary} else run.vocabulary[:_MOST])]


@torch.inference_mode()
def _passed_by_gpt(model: GPT, ids: torch.Tensor, at: np.ndarray, inputs: Sequence[torch.Tensor]) -> Pass:
    """The small GPT on IDs (1, T) that stand at these places, (T,), as `passed` does it."""
    x, angles = model.enter(ids, torch.eye(model.shape.context_length)[at])
    came, left, weights = [], [], []
    for n, block in enumerate(model.blocks):
        came.append(x)
        given = inputs[n] if inputs else x
        q, k, v = block.heads(given, angles)
        weights.append(block.weights(q, k))
        x = block.leave(given, q, k, v)
        left.append(x)
    return Pass(came, left, weights)


@torch.inference_mode()
def _compared_by_gpt(model: GPT, at: np.ndarray, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Of each layer, the queries and keys of what comes to it, (2, 1, H, T, d), at these places."""
    _x, angles = model.enter(torch.zeros(1, len(at), dtype=torch.int64), torch.eye(model.shape.context_length)[at])
    return [torch.stack(block.heads(x, angles)[:2]) for block, x in zip(model.blocks, inputs, strict=True)]


@cachetools.cached(cachetools.LRUCache(64), condition=Waiting())
def _measured(whole: FullWeights, ids: tuple[int, ...]) -> tuple[tuple[str, ...], bool, _Measured]:
    """What the model's config says of each layer and of its input, and what was measured, once."""
    return model_queue.in_line(whole, _tested, np.array([ids]))


def _tested(whole: FullWeights, ids: np.ndarray, unwanted: threading.Event) -> tuple[tuple[str, ...], bool, _Measured]:
    loaded = model_queue.ready(whole, unwanted)
    places = np.arange(ids.shape[1])

    def run_at(at: np.ndarray, inputs: Sequence[torch.Tensor] = ()) -> Pass:
        return passed(loaded, ids, at, inputs)

    def compared_at(at: np.ndarray, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        found = caught(loaded, ids, at, inputs)
        return [torch.cat([query, key], dim=1) for query, key in zip(found.queries, found.keys, strict=True)]

    measured = _changes_at(run_at, compared_at, places, APART * places, places + _later(len(places)))
    return _schemes(loaded), loaded.layout.scheme in _ADDED, measured


def _later(n_tokens: int) -> int:
    """By how many positions tokens are moved, which then end where they do if they stand farther apart."""
    return (APART - 1) * n_tokens


def _schemes(loaded: Model) -> tuple[str, ...]:
    """What the config says of each layer. SmolLM3's says which layers have RoPE, with a 1 for each of them."""
    config = loaded.module.config.get_text_config()
    turns = getattr(config, "no_rope_layers", None) or [1] * config.num_hidden_layers
    own = loaded.layout.scheme if loaded.layout.scheme not in _ADDED else "none"
    return tuple(own if each else "none" for each in turns[: config.num_hidden_layers])


def _changes_at(
    run_at: Callable[..., Pass],
    compared_at: Callable[..., list[torch.Tensor]],
    places: np.ndarray,
    apart: np.ndarray,
    later: np.ndarray,
) -> _Measured:
    """What changes if tokens stand farther apart than at their places, and if all of them stand later."""
    reference = run_at(places)
    one, other = (_changes(reference, run_at(at, reference.inputs)) for at in (apart, later))
    compared = [compared_at(at, reference.inputs) for at in (places, apart)]
    changes = [_change(*pair, is_share=True) for pair in zip(*compared, strict=True)]
    return one, other, read_only(np.array(changes, np.float32)) if changes else None


def _changes(reference: Pass, other: Pass) -> _Changes:
    outputs = [_change(*pair, is_share=True) for pair in zip(reference.outputs, other.outputs, strict=True)]
    weights = [_change(*pair) for pair in zip(reference.weights, other.weights, strict=True)]
    input_change = _change(reference.inputs[0], other.inputs[0], is_share=True)
    return _Changes(input_change, *(read_only(np.array(each, np.float32)) for each in (weights, outputs)))


def _change(reference: torch.Tensor, other: torch.Tensor, *, is_share: bool = False) -> float:
    """The largest change of a number. is_share: as a share of the largest number."""
    change, largest = float((reference - other).abs().max()), float(reference.abs().max())
    return change / largest if is_share and largest else change
