"""Sinusoidal positions (Vaswani et al. 2017, section 3.5).

    P[l, 2k]     = sin(l / base^(2k / D))
    P[l, 2k + 1] = cos(l / base^(2k / D))

Low dimensions oscillate fast (a wavelength of 2 pi positions for k = 0), high ones slowly.
"""

from typing import Literal

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice
from embedviz.base.i18n import N_
from embedviz.positions.common import angular_speeds, check_pairs
from embedviz.positions.scheme import Lines, Program, Scheme

LAYOUTS = ("interleaved", "half")
_TITLE = N_("Sinusoidal")


def table(
    context_length: int,
    output_dim: int,
    *,
    base: float = 10000.0,
    layout: Literal["interleaved", "half"] = "interleaved",
    dtype: type = np.float32,
) -> np.ndarray:
    """The vectors of positions 0 to L - 1, shape (L, D). Raises as `rows` does."""
    return rows(np.arange(context_length), output_dim, base=base, layout=layout, dtype=dtype)


def rows(
    at: np.ndarray,
    output_dim: int,
    *,
    base: float = 10000.0,
    layout: Literal["interleaved", "half"] = "interleaved",
    dtype: type = np.float32,
) -> np.ndarray:
    """The vectors of any T positions, shape (T, D), sine and cosine interleaved as in the paper, or with all sines
    in the first half.

    Computed in float64 and rounded once to `dtype`. Raises EmbedvizError for an unknown layout, and if
    output_dim is odd or less than 2, since every sine needs its cosine.
    """
    check_choice("layout", layout, LAYOUTS)
    check_pairs(_TITLE, output_dim)
    angles = np.outer(at, angular_speeds(output_dim, base))  # (T, D/2)
    axis = -1 if layout == "interleaved" else 1
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=axis)  # (T, D/2, 2) or (T, 2, D/2)
    return read_only(pairs.reshape(len(at), output_dim).astype(dtype))  # (T, D)


SCHEME = Scheme(
    name="sinusoidal",
    title=_TITLE,
    kind="add",
    even_output_dim=True,
    paper="Vaswani et al. 2017",
    seen_in="positions/pairs",
    added=lambda places, output_dim, learned: rows(places, output_dim),
    past_training="formula",
    program=Program(
        added=(
            "exponents = torch.arange(0, {output_dim}, 2, dtype=torch.float64) / {output_dim}",
            "angles = torch.outer(torch.arange(n_tokens, dtype=torch.float64), 10000**-exponents)",
            "return {scale}torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()",
        ),
        layer=Lines(
            added=(
                "angles = torch.outer(at.double(), 10000 ** (-torch.arange(0, D, 2).double() / D))",
                "x = x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()",
            )
        ),
    ),
)
