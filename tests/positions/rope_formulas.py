"""RoPE's frequencies under each scaling, from the papers: an oracle for what transformers computes, to the last bit.

All is in float32, in the order of transformers 5.23 (`modeling_rope_utils.py`), where theta_k = base^(-2k / d), s is
the factor and L the length of the training:

    default       theta_k                                      (Su et al. 2021)
    linear        theta_k / s                                  position interpolation (Chen et al. 2023)
    dynamic       theta_k of the base  base (s n / L - (s - 1))^(d / (d - 2))  for a text of n tokens (bloc97's
                  NTK-aware scaling, made to follow the length of the text by emozilla, both 2023)
    yarn          fast pairs keep theta_k, slow ones get theta_k / s, with a ramp over the pairs in between
                  (Peng et al. 2023, section 3.2)
    longrope      theta_k / f_k, where a search found the factors f_k (Ding et al. 2024)
    llama3        as yarn, but the ramp follows L / wavelength (the Llama 3 team 2024, as in Llama 3.1's code)
    proportional  a part of the pairs turns, with exponents of the whole head, and the others stand still (Gemma 4)
"""

import math

import torch


def frequencies(head_dim, base, scaling, seq_len=None):
    """The radians of each pair at each position, float32 (d/2,), and the attention factor."""
    given = {"rope_theta": base, "original_max_position_embeddings": scaling.get("max_position_embeddings")} | scaling
    name = given.get("rope_type", given.get("type", "default"))
    n_dims = head_dim if name == "proportional" else int(head_dim * given.get("partial_rotary_factor", 1))
    found, attention_factor = FORMULAS[name](n_dims, given, seq_len)
    return found.numpy(), attention_factor


def waves(n_dims, base):
    """base^(2k / d), float32 (d/2,)."""
    return base ** (torch.arange(0, n_dims, 2).float() / n_dims)


def _default(n_dims, given, seq_len):
    return 1.0 / waves(n_dims, given["rope_theta"]), 1.0


def _linear(n_dims, given, seq_len):
    return _default(n_dims, given, seq_len)[0] / given["factor"], 1.0


def _dynamic(n_dims, given, seq_len):
    """A larger base, so chosen that the slowest pair is slowed as much as the text is longer."""
    factor, trained = given["factor"], given["max_position_embeddings"]
    stretched = (factor * max(seq_len or trained, trained) / trained) - (factor - 1)
    return 1.0 / waves(n_dims, given["rope_theta"] * stretched ** (n_dims / (n_dims - 2))), 1.0


def _yarn(n_dims, given, seq_len):
    factor, all_waves = given["factor"], waves(n_dims, given["rope_theta"])
    low, high = yarn_ends(n_dims, given)
    ramp = ((torch.arange(n_dims // 2).float() - low) / ((high - low) or 0.001)).clamp(0, 1)
    kept = 1 - ramp
    return 1.0 / (factor * all_waves) * (1 - kept) + 1.0 / all_waves * kept, yarn_attention(factor, given)


def yarn_ends(n_dims, given):
    """The pairs between which the ramp rises, as in the paper's formula for a number of turns."""
    trained, base = given["original_max_position_embeddings"], given["rope_theta"]
    turns = given.get("beta_fast", 32), given.get("beta_slow", 1)
    low, high = (n_dims * math.log(trained / (n * 2 * math.pi)) / (2 * math.log(base)) for n in turns)
    if given.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    return max(low, 0), min(high, n_dims - 1)


def yarn_attention(factor, given):
    """What is given, or 0.1 ln s + 1 as in the paper; DeepSeek's two mscales divide two such numbers."""
    mscale, mscale_all = given.get("mscale"), given.get("mscale_all_dim")
    if given.get("attention_factor") is not None:
        return given["attention_factor"]
    if mscale and mscale_all:
        return _warmth(factor, mscale) / _warmth(factor, mscale_all)
    return _warmth(factor, 1)


def _warmth(factor, mscale):
    return 1.0 if factor <= 1 else 0.1 * mscale * math.log(factor) + 1.0


def _longrope(n_dims, given, seq_len):
    """Each pair has a factor of its own, from one list up to the trained length and from another one beyond it."""
    trained = given["original_max_position_embeddings"]
    factors = torch.tensor(given["long_factor" if seq_len and seq_len > trained else "short_factor"])
    factor = given.get("factor") or given["max_position_embeddings"] / trained
    usual = 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(trained))
    attention_factor = given.get("attention_factor")
    return 1.0 / (factors * waves(n_dims, given["rope_theta"])), usual if attention_factor is None else attention_factor


def _llama3(n_dims, given, seq_len):
    """Short wavelengths are kept, long ones are stretched by the factor, and those in between get a mixture."""
    factor, trained = given["factor"], given["original_max_position_embeddings"]
    low, high = given["low_freq_factor"], given["high_freq_factor"]
    as_trained = _default(n_dims, given, seq_len)[0]
    wavelengths = 2 * math.pi / as_trained
    share = (trained / wavelengths - low) / (high - low)
    mixed = (1 - share) * as_trained / factor + share * as_trained
    is_long, is_short = wavelengths > trained / low, wavelengths < trained / high
    return torch.where(is_long, as_trained / factor, torch.where(is_short, as_trained, mixed)), 1.0


def _proportional(n_dims, given, seq_len):
    n_turned = int(given.get("partial_rotary_factor", 1) * n_dims // 2)
    found = torch.zeros(n_dims // 2)
    found[:n_turned] = 1.0 / waves(n_dims, given["rope_theta"])[:n_turned]
    return found / given.get("factor", 1.0), 1.0


FORMULAS = {
    "default": _default, "linear": _linear, "dynamic": _dynamic, "yarn": _yarn, "longrope": _longrope,
    "llama3": _llama3, "proportional": _proportional,
}  # fmt: skip
