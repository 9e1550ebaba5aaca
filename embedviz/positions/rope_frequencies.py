"""How fast each pair of dimensions turns under RoPE, as it was trained and when it is stretched to longer texts.

Without scaling, pair k of d dimensions turns by theta_k = base^(-2k / d) radians at each position (Su et al. 2021). A
model's config may change these numbers ("rope_type"). What a scaling makes of them is computed by transformers, which
runs such models (`modeling_rope_utils.py`), and the others here, in float32 and in its order, so that both fit together
to the last bit. `rope.rotate`, which turns the heads of Attention and Relative, has no scaling: it takes
`common.angular_speeds`, which are these numbers in float64.
"""

import math
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_whole, short
from embedviz.base.errors import EmbedvizError

MAX_HEAD_DIM = 2**16
MAX_LENGTH = 2**53  # above it float64 does not hold every whole number


def frequencies(
    head_dim: int, base: float = 10000.0, scaling: Mapping[str, object] | None = None, seq_len: int | None = None
) -> tuple[np.ndarray, float]:
    """The radians by which each pair turns at each position, and the factor by which cosines and sines are multiplied.

    head_dim: the dimensions of a head. scaling: the dictionary `rope_scaling` or `rope_parameters` of a model's config,
    with `max_position_embeddings` of that config beside it where a type needs it; its own `rope_theta` stands in for
    `base`. Keys that the type does not know are ignored, as transformers does. seq_len: the length of the text, which
    matters to "dynamic" and "longrope" alone; without one they take the length of the training.

    Returns `(inv_freq, attention_factor)`: float32 (d/2,), read-only, the fastest pair first, where d is head_dim times
    `partial_rotary_factor` ("proportional": head_dim); and a float.

    Raises EmbedvizError for a type that does not exist, a missing key, a number that is negative or not finite,
    dimensions that do not make whole pairs, and for all numbers that give no frequencies, or some that are negative or
    not finite.
    """
    check_whole("head_dim", head_dim, 1, MAX_HEAD_DIM)
    if seq_len is not None:
        check_whole("seq_len", seq_len, 1, MAX_LENGTH)
    given = _parameters(scaling, base)
    try:
        _check_pairs(head_dim, given)
        compute = _default if given["rope_type"] == "default" else _scaled
        found, attention_factor = compute(head_dim, given, seq_len)
    except EmbedvizError:
        raise
    except (KeyError, AttributeError) as error:
        key = error.args[0] if isinstance(error, KeyError) else error.name
        raise EmbedvizError(
            "rope_type “{rope_type}” needs “{key}” in its dictionary.", rope_type=given["rope_type"], key=key
        ) from error
    except (TypeError, ValueError, ArithmeticError, RuntimeError) as error:  # no number, or a list of the wrong length
        raise EmbedvizError("These numbers give no frequencies ({error}).", error=error) from error
    inv_freq = found.numpy()
    if not (np.isfinite(inv_freq) & (inv_freq >= 0)).all():
        raise EmbedvizError("These numbers give frequencies that are negative, or too large for float32.")
    return read_only(inv_freq), float(attention_factor)


def is_ready(name: str) -> bool:
    """Whether the scaling of this name is computed at once. The first of all imports transformers, which may take long.

    "none" and "default" are no scalings.
    """
    return name in ("none", "default") or "transformers.modeling_rope_utils" in sys.modules


def _parameters(scaling: Mapping[str, object] | None, base: float) -> dict[str, Any]:
    """A config's numbers, by the names that transformers has for them today."""
    if not isinstance(scaling, Mapping | None):
        raise EmbedvizError("scaling must be a dictionary or None, not {given}.", given=short(scaling))
    given = {"rope_theta": base, **(scaling or {})}
    layers = [str(key) for key, value in given.items() if isinstance(value, Mapping)]
    if layers:
        raise EmbedvizError(
            "This holds a dictionary for each kind of layer; pass one of them: {layers}.", layers=", ".join(layers)
        )
    for key, value in given.items():
        if isinstance(value, (int, float)) and not 0 <= value < math.inf:
            raise EmbedvizError("{key} must be a finite positive number, not {given}.", key=key, given=short(value))
    given.setdefault("rope_type", given.get("type", "default"))
    if "max_position_embeddings" in given:  # a config that was never extended gives the length of the training there
        given.setdefault("original_max_position_embeddings", given["max_position_embeddings"])
    return given


def _check_pairs(head_dim: int, parameters: Mapping[str, Any]) -> None:
    """Raise EmbedvizError unless the dimensions that are turned make whole pairs. transformers would leave that out."""
    part = parameters.get("partial_rotary_factor", 1.0)
    n = head_dim if parameters["rope_type"] == "proportional" else int(head_dim * part)
    if n < 2 or n % 2 or not 0 <= part <= 1:
        raise EmbedvizError(
            "RoPE turns dimensions in pairs, and {n} rotated dimensions of {head_dim} do not make whole pairs. "
            "Take an even number, from 4 on.",
            n=n,
            head_dim=head_dim,
        )


def _default(head_dim: int, parameters: Mapping[str, Any], _seq_len: int | None) -> tuple[torch.Tensor, float]:
    n_dims = int(head_dim * parameters.get("partial_rotary_factor", 1.0))
    return 1.0 / parameters["rope_theta"] ** (torch.arange(0, n_dims, 2).float() / n_dims), 1.0  # (d/2,)


def _scaled(head_dim: int, parameters: dict[str, Any], seq_len: int | None) -> tuple[torch.Tensor, float]:
    """What transformers makes of a config with these numbers."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS  # noqa: PLC0415 see `is_ready`

    check_choice("rope_type", parameters["rope_type"], ("default", *ROPE_INIT_FUNCTIONS))
    config = SimpleNamespace(
        head_dim=head_dim,
        hidden_size=head_dim,  # this and the next one are asked for, and not used
        num_attention_heads=1,
        rope_parameters=parameters,
        standardize_rope_params=lambda: None,  # `_given` has done it
    )
    if "max_position_embeddings" in parameters:
        config.max_position_embeddings = parameters["max_position_embeddings"]
    return ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, seq_len=seq_len)
