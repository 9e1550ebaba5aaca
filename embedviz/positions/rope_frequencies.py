"""How fast each pair of dimensions turns under RoPE, as it was trained and when it is stretched to longer texts.

Without scaling pair k of d dimensions turns by theta_k = base^(-2k / d) radians at each position (Su et al. 2021).
A model's config may change these numbers ("rope_type"), where s is its factor and L the length that it was trained on:

    default       theta_k
    linear        theta_k / s                                  position interpolation (Chen et al. 2023)
    dynamic       theta_k of the base  base (s n / L - (s - 1))^(d / (d - 2))  for a text of n tokens (bloc97's
                  NTK-aware scaling, made to follow the length of the text by emozilla, both 2023)
    yarn          fast pairs keep theta_k, slow ones get theta_k / s, with a ramp over the pairs in between
                  (Peng et al. 2023, section 3.2)
    longrope      theta_k / f_k, where a search found the factors f_k (Ding et al. 2024)
    llama3        as yarn, but the ramp follows L / wavelength (the Llama 3 team 2024, as in Llama 3.1's code)
    proportional  a part of the pairs turns, with exponents of the whole head, and the others stand still (Gemma 4)

All is computed in float32 and in the order in which transformers 5.23 does it (`modeling_rope_utils.py`), so that the
numbers are those that the models use, to the last bit. `rope.rotate`, which turns the heads of Attention and Relative,
has no scaling: it takes `common.angular_speeds`, which are these default numbers in float64.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.positions.rope_config import RopeConfig

MAX_HEAD_DIM = 2**16
MAX_LENGTH = 2**53  # above it float64 does not hold every whole number
_BETA_FAST, _BETA_SLOW = 32.0, 1.0  # turns in training above which YaRN keeps a pair, and below which it slows it fully

Found = tuple[torch.Tensor, float]


def frequencies(
    head_dim: int, base: float = 10000.0, scaling: Mapping[str, object] | None = None, seq_len: int | None = None
) -> tuple[np.ndarray, float]:
    """The radians by which each pair turns at each position, and the factor by which cosines and sines are multiplied.

    head_dim: the dimensions of a head. scaling: the dictionary `rope_scaling` or `rope_parameters` of a model's config,
    with `max_position_embeddings` of that config beside it where a type needs it; its own `rope_theta` stands in for
    `base`. Keys that the type does not know are ignored, as transformers does. seq_len: the length of the text, which
    matters to "dynamic" and "longrope" alone; without one they take the length of the training.

    Returns `(inv_freq, attention_factor)`: float32 (d/2,), read-only, the fastest pair first, where d is head_dim times
    `partial_rotary_factor` ("proportional": head_dim); and a float. Both equal those of transformers 5.23.

    Raises EmbedvizError for a type that does not exist, a missing key, a list of the wrong length, a number that is not
    finite or out of its range, dimensions that do not make whole pairs, and frequencies that float32 cannot hold.
    """
    check_whole("head_dim", head_dim, 1, MAX_HEAD_DIM)
    if seq_len is not None:
        check_whole("seq_len", seq_len, 1, MAX_LENGTH)
    config = RopeConfig({} if scaling is None else scaling, base)
    check_choice("rope_type", config.rope_type, tuple(TYPES))
    found, attention_factor = TYPES[config.rope_type](head_dim, config, seq_len)
    inv_freq = found.numpy()
    if not np.isfinite(inv_freq).all():
        raise EmbedvizError("With base {base} the frequencies are too large for float32.", base=config.base)
    return read_only(inv_freq), float(attention_factor)


def _wave_numbers(n_dims: int, base: float) -> torch.Tensor:
    """The numbers base^(2k / d) of d dimensions, float32 (d/2,): one divided by them are the frequencies."""
    return base ** (torch.arange(0, n_dims, 2).float() / n_dims)


def _default(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    return 1.0 / _wave_numbers(config.n_rotated(head_dim), config.base), 1.0


def _linear(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    return _default(head_dim, config, seq_len)[0] / config.number("factor"), 1.0


def _dynamic(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    """NTK-aware scaling: a larger base, so chosen that the slowest pair is slowed as much as the text is longer."""
    n_dims, factor = config.n_rotated(head_dim), config.number("factor")
    if n_dims < 4:
        raise EmbedvizError("“dynamic” needs at least 4 rotated dimensions, not {n}.", n=n_dims)
    trained = config.number("max_position_embeddings")
    length = trained if seq_len is None else max(seq_len, trained)
    stretched = (factor * length / trained) - (factor - 1)
    return 1.0 / _wave_numbers(n_dims, config.base * stretched ** (n_dims / (n_dims - 2))), 1.0


def _yarn(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    n_dims, factor = config.n_rotated(head_dim), config.factor_or_ratio()
    waves = _wave_numbers(n_dims, config.base)
    kept = 1 - _ramp(*_yarn_ends(n_dims, config), n_dims // 2)
    return 1.0 / (factor * waves) * (1 - kept) + 1.0 / waves * kept, _yarn_attention(factor, config)


def _yarn_ends(n_dims: int, config: RopeConfig) -> tuple[float, float]:
    """The pairs between which the ramp of YaRN rises, as in the paper's formula for a number of turns."""
    trained, base = config.trained_length(), config.base
    if base == 1:
        raise EmbedvizError("YaRN needs a base other than 1, with which all pairs would be equally fast.")
    turns = [config.number(key, usual) for key, usual in (("beta_fast", _BETA_FAST), ("beta_slow", _BETA_SLOW))]
    low, high = (n_dims * math.log(trained / (n * 2 * math.pi)) / (2 * math.log(base)) for n in turns)
    if config.given.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    return max(low, 0), min(high, n_dims - 1)


def _ramp(low: float, high: float, n_pairs: int) -> torch.Tensor:
    """0 for the pairs up to `low`, 1 for those from `high` on, a straight line in between, float32 (n_pairs,)."""
    width = high - low if high != low else 0.001
    return ((torch.arange(n_pairs).float() - low) / width).clamp(0, 1)


def _yarn_attention(factor: float, config: RopeConfig) -> float:
    """What is given, or 0.1 ln s + 1 as in the paper; DeepSeek's two mscales divide two such numbers."""
    given, mscale, mscale_all = (
        config.number(key, None, may_be_zero=True) for key in ("attention_factor", "mscale", "mscale_all_dim")
    )
    if given is not None:
        return given
    if mscale and mscale_all:
        return _warmth(factor, mscale) / _warmth(factor, mscale_all)
    return _warmth(factor, 1.0)


def _warmth(factor: float, mscale: float) -> float:
    return 1.0 if factor <= 1 else 0.1 * mscale * math.log(factor) + 1.0


def _longrope(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    """Each pair has a factor of its own, from one list up to the trained length and from another one beyond it."""
    n_dims, trained = config.n_rotated(head_dim), config.trained_length()
    long, short = (config.numbers(key, n_dims // 2) for key in ("long_factor", "short_factor"))
    factors = torch.tensor(long if seq_len and seq_len > trained else short, dtype=torch.float32)
    attention_factor = config.number("attention_factor", None, may_be_zero=True)
    if attention_factor is None:
        attention_factor = _longrope_attention(config.factor_or_ratio(may_be_missing=True), trained)
    return 1.0 / (factors * _wave_numbers(n_dims, config.base)), attention_factor


def _longrope_attention(factor: float, trained: float) -> float:
    if factor <= 1:
        return 1.0
    if trained <= 1:
        raise EmbedvizError("LongRoPE needs a trained length of more than 1 token, not {n}.", n=trained)
    return math.sqrt(1 + math.log(factor) / math.log(trained))


def _llama3(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    """Short wavelengths are kept, long ones are stretched by the factor, and those in between get a mixture."""
    factor, trained = config.number("factor"), config.trained_length()
    low, high = config.number("low_freq_factor"), config.number("high_freq_factor")
    if high <= low:
        raise EmbedvizError(
            "high_freq_factor must be more than low_freq_factor, {low}; it is {high}.", low=low, high=high
        )
    as_trained = _default(head_dim, config, seq_len)[0]
    wavelengths = 2 * math.pi / as_trained
    share = (trained / wavelengths - low) / (high - low)
    mixed = (1 - share) * as_trained / factor + share * as_trained
    is_long, is_short = wavelengths > trained / low, wavelengths < trained / high
    return torch.where(is_long, as_trained / factor, torch.where(is_short, as_trained, mixed)), 1.0


def _proportional(head_dim: int, config: RopeConfig, seq_len: int | None) -> Found:
    """The first part of the pairs turns as in a head that turns whole, and the others have frequency 0."""
    if head_dim % 2:
        raise EmbedvizError("RoPE turns dimensions in pairs; {n_dims} is not even.", n_dims=head_dim)
    n_turned = int(config.part() * head_dim // 2)
    found = torch.zeros(head_dim // 2)
    found[:n_turned] = 1.0 / _wave_numbers(head_dim, config.base)[:n_turned]
    return found / config.number("factor", 1.0), 1.0


TYPES: dict[str, Callable[[int, RopeConfig, int | None], Found]] = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
    "proportional": _proportional,
}
