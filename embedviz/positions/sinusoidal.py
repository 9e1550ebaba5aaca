"""Sinusoidal positions (Vaswani et al. 2017, section 3.5).

    P[l, 2k]     = sin(l / base^(2k / D))
    P[l, 2k + 1] = cos(l / base^(2k / D))

Low dimensions oscillate fast (a wavelength of 2 pi positions for k = 0), high ones slowly.
"""

from typing import Literal

import numpy as np

from embedviz.errors import EmbedvizError, check_choice

LAYOUTS = ("interleaved", "half")


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
    if output_dim < 2 or output_dim % 2:
        raise EmbedvizError(
            f"Sinusoidal positions need an even output_dim, a sine and a cosine each; "
            f"{output_dim} is not. Try {max(output_dim + output_dim % 2, 2)}."
        )
    angles = np.outer(at, frequencies(output_dim, base))  # (T, D/2)
    axis = -1 if layout == "interleaved" else 1
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=axis)  # (T, D/2, 2) or (T, 2, D/2)
    found = pairs.reshape(len(at), output_dim).astype(dtype)  # (T, D)
    found.flags.writeable = False
    return found


def frequencies(output_dim: int, base: float = 10000.0) -> np.ndarray:
    """Radians a position of each pair of dimensions, float64 of shape (D/2,), the fastest first."""
    return base ** (-np.arange(0, output_dim, 2) / output_dim)
