"""Positions in a real model: which of its layers read them, as measured, and which two of a sentence are exchanged."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.layers import model_queue
from embedviz.layers.model import Model
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights
from embedviz.text.samples import usual_pair
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec

_TESTED = ("learned", "sinusoidal", "rope", "none")  # schemes of which transformers asks where tokens stand
_MOST = 12  # tokens, so that the shortest table of positions has room for three times as many
_APART = 3  # times as far as usual
# Of what changes where tokens are farther apart: a scheme that reads distances alone changes by rounding, when all
# tokens move by as much.
_ROUNDING = 0.01


@dataclass(frozen=True)
class PositionTest:
    """Which layers of a model read positions. All arrays are read-only float32 of shape (n_layers,).

    Each layer gets what has left the layer before it as usual; its tokens alone stand elsewhere.
    tokens: how many were read. declared: what the model's files say, in whole sentences.
    input_change: the largest change of what enters the first layer, as a share of its largest number: 0 where nothing
        is added for positions.
    weights, outputs: the largest change of an attention weight, and of what leaves the layer as a share of its largest
        number, if tokens stand three times as far apart.
    moved: the same of the weights if all tokens stand equally later.
    """

    model: str
    tokens: int
    declared: str
    input_change: float
    weights: np.ndarray
    outputs: np.ndarray
    moved: np.ndarray

    @property
    def reads(self) -> np.ndarray:
        """Whether each layer reads positions itself, bool (n_layers,). One that does not computes the same bits."""
        return read_only((self.weights > 0) | (self.outputs > 0))

    @property
    def reads_distances(self) -> np.ndarray:
        """Whether it reads how far tokens are apart and not where they stand, bool (n_layers,)."""
        return read_only(self.reads & (self.moved <= _ROUNDING * self.weights))


class _Pass(NamedTuple):
    """Of each layer: what came to it and what left it, (1, T, D), and its attention weights, (1, H, T, T)."""

    inputs: list[torch.Tensor]
    outputs: list[torch.Tensor]
    weights: Sequence[torch.Tensor]


def positions_of(source: str) -> PositionTest:
    """Test which layers of a model on this machine read positions: the same tokens stand at other ones.

    Raises EmbedvizError as `forward` does, and for a model whose layers count the distances of tokens themselves, as
    with ALiBi: its tokens cannot be put elsewhere.
    """
    layout = hub_model(source).layout()
    if layout.scheme not in _TESTED:
        raise EmbedvizError(
            "{model} cannot be tested: its layers count the distances of tokens themselves, so that no token can be "
            "put elsewhere. {about}",
            model=source,
            about=layout.about(source),
        )
    ids = tokenize_for(usual_pair().a, Spec(source=source)).ids[:_MOST]
    found = model_queue.in_line(model_queue.find(source), _tested, np.array([ids]))
    return PositionTest(source, len(ids), layout.about(source), *found)


def _tested(
    whole: FullWeights, ids: np.ndarray, unwanted: threading.Event
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    loaded = model_queue.ready(whole, unwanted)
    places = np.arange(ids.shape[1])
    later = places + (_APART - 1) * len(places)
    usual = _passed(loaded, ids, places)
    apart, moved = (_passed(loaded, ids, other, usual.inputs) for other in (_APART * places, later))
    return (
        _change(usual.inputs[0], apart.inputs[0], is_share=True),
        _changes(usual.weights, apart.weights),
        _changes(usual.outputs, apart.outputs, is_share=True),
        _changes(usual.weights, moved.weights),
    )


def _changes(reference: Sequence[torch.Tensor], other: Sequence[torch.Tensor], *, is_share: bool = False) -> np.ndarray:
    pairs = zip(reference, other, strict=True)
    return read_only(np.array([_change(*pair, is_share=is_share) for pair in pairs], np.float32))


def _change(reference: torch.Tensor, other: torch.Tensor, *, is_share: bool = False) -> float:
    """The largest change of a number. is_share: as a share of the largest number."""
    change = float((reference - other).abs().max())
    return change / float(reference.abs().max()) if is_share else change


def _passed(loaded: Model, ids: np.ndarray, places: np.ndarray, inputs: Sequence[torch.Tensor] = ()) -> _Pass:
    """Run the model with its tokens at these places. inputs: what each layer gets instead of what comes to it."""
    given = model_queue.model_inputs(loaded, ids, places, 1.0)
    with torch.inference_mode(), _watched(loaded, inputs) as (came, left):
        said = loaded.module(**given, output_attentions=True, return_dict=True)
    return _Pass(came, left, said.attentions)


@contextmanager
def _watched(loaded: Model, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[list[torch.Tensor], list[torch.Tensor]]]:
    """What comes to each layer and what leaves it while this lasts."""
    came: list[torch.Tensor] = []
    left: list[torch.Tensor] = []

    def enter(_layer: torch.nn.Module, arguments: tuple, options: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        came.append(arguments[0] if arguments else options["hidden_states"])
        if not inputs:
            return arguments, options
        vectors = inputs[len(came) - 1]
        return ((vectors, *arguments[1:]), options) if arguments else (arguments, options | {"hidden_states": vectors})

    def leave(_layer: torch.nn.Module, _arguments: tuple, output: Any) -> None:
        left.append(output[0] if isinstance(output, tuple) else output)

    layers = _layers(loaded)
    hooks = [
        *(layer.register_forward_pre_hook(enter, with_kwargs=True) for layer in layers),
        *(layer.register_forward_hook(leave) for layer in layers),
    ]
    try:
        yield came, left
    finally:
        for hook in hooks:
            hook.remove()


def _layers(loaded: Model) -> torch.nn.ModuleList:
    n_layers = loaded.module.config.get_text_config().num_hidden_layers
    lists = (each for each in loaded.module.modules() if isinstance(each, torch.nn.ModuleList))
    return next(each for each in lists if len(each) == n_layers)


def exchanged(ids_a: Sequence[int], ids_b: Sequence[int]) -> tuple[int, int]:
    """The two tokens of A to exchange: the first and the last that differ from B's at their place, or A's two ends.

    If A and B differ in these two alone, as "the dog bites the man" and "the man bites the dog", A becomes B.
    """
    differing = [n for n, (one, other) in enumerate(zip(ids_a, ids_b, strict=False)) if one != other]
    return (differing[0], differing[-1]) if len(differing) > 1 else (0, len(ids_a) - 1)
