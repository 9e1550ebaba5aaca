"""A run of a model whose layers are watched, and may get what they had in another run instead of what comes to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch

from embedviz.layers import model_queue
from embedviz.layers.model import Model

PLACED = ("learned", "sinusoidal", "rope", "none")  # schemes of which transformers asks where tokens stand


class Pass(NamedTuple):
    """Of each layer: what came to it and what left it, (1, T, D), and its attention weights, (1, H, T, T)."""

    inputs: Sequence[torch.Tensor]
    outputs: Sequence[torch.Tensor]
    weights: Sequence[torch.Tensor]


def passed(loaded: Model, ids: np.ndarray, places: np.ndarray, inputs: Sequence[torch.Tensor] = ()) -> Pass:
    """Run the model, in the line's thread, on token IDs (1, T) that stand at these places, (T,).

    inputs: what each layer gets instead of what comes to it.
    """
    given = model_queue.model_inputs(loaded, ids, places, 1.0)
    with torch.inference_mode(), watched(loaded, inputs) as (came, left):
        said = loaded.module(**given, output_attentions=True, return_dict=True)
    return Pass(came, left, said.attentions)


def layers(loaded: Model) -> torch.nn.ModuleList:
    """The model's layers: its list of modules that is as long as its config says."""
    n_layers = loaded.module.config.get_text_config().num_hidden_layers
    lists = (each for each in loaded.module.modules() if isinstance(each, torch.nn.ModuleList))
    return next(each for each in lists if len(each) == n_layers)


@contextmanager
def watched(loaded: Model, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[list[torch.Tensor], list[torch.Tensor]]]:
    """What comes to each layer and what leaves it while this lasts. inputs: what each gets instead of what comes."""
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

    hooks = [
        *(layer.register_forward_pre_hook(enter, with_kwargs=True) for layer in layers(loaded)),
        *(layer.register_forward_hook(leave) for layer in layers(loaded)),
    ]
    try:
        yield came, left
    finally:
        for hook in hooks:
            hook.remove()
