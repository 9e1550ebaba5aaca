"""What a model's layers hand to attention, caught where transformers passes it on: queries, keys and values."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import torch

from embedviz.layers import model_queue
from embedviz.layers.model import Model, library
from embedviz.layers.positions.watched import watched

_CATCHING = "embedviz"  # what transformers calls the attention that catches


class Caught(NamedTuple):
    """Queries (1, H, T, d), keys and values (1, heads with keys, T, d) of each layer. scalings, caps: of its scores.

    A list is empty if the model's class does not let attention be exchanged. A cap is None where scores have none.
    """

    queries: list[torch.Tensor]
    keys: list[torch.Tensor]
    values: list[torch.Tensor]
    scalings: list[float]
    caps: list[float | None]


class _EnoughError(Exception):
    """What was asked for has been caught."""


def caught(
    loaded: Model,
    ids: np.ndarray,
    places: np.ndarray,
    inputs: Sequence[torch.Tensor] = (),
    *,
    scale: float = 1.0,
    only_first: bool = False,
) -> Caught:
    """Run the model, in the line's thread, on token IDs (1, T) that stand at these places, (T,), without attention.

    What comes to a layer after the first is therefore not what comes usually. inputs: what each layer gets instead of
    it. scale: what positions are multiplied by; with 0 nothing is added and nothing is turned. only_first: no further
    layer is run after the first one.
    """
    found = Caught([], [], [], [], [])

    def attend(
        _module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, _mask: object,
        scaling: float | None = None, softcap: float | None = None, **_options: Any,
    ) -> tuple[torch.Tensor, None]:  # fmt: skip
        found.queries.append(query)
        found.keys.append(key)
        found.values.append(value)
        found.scalings.append(query.shape[-1] ** -0.5 if scaling is None else float(scaling))
        found.caps.append(softcap)
        if only_first:
            raise _EnoughError
        return query.new_zeros(query.shape[0], query.shape[2], query.shape[1], value.shape[-1]), None

    transformers = library()
    transformers.AttentionInterface.register(_CATCHING, attend)
    transformers.AttentionMaskInterface.register(_CATCHING, lambda *_given, **_options: None)
    given = model_queue.model_inputs(loaded, ids, places, scale)
    loaded.module.set_attn_implementation(_CATCHING)
    try:
        with torch.inference_mode(), watched(loaded, inputs), model_queue.scaled(loaded, scale), suppress(_EnoughError):
            loaded.module(**given, return_dict=True)
    finally:
        loaded.module.set_attn_implementation("eager")
        transformers.AttentionInterface.register(_CATCHING, _nothing)  # which holds no tensors
    return found


def _nothing(*_about: object, **_options: object) -> tuple[torch.Tensor, None]:
    raise NotImplementedError("attention is caught only while `caught` runs")
