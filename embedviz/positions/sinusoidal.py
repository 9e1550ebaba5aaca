"""Sinusoidal positions (Vaswani et al. 2017, section 3.5).

    P[l, 2k]     = sin(l / base^(2k / D))
    P[l, 2k + 1] = cos(l / base^(2k / D))

Low dimensions oscillate fast (a wavelength of 2 pi positions for k = 0), high ones slowly.
"""

import numpy as np

from embedviz.errors import EmbedvizError


def table(context_length: int, output_dim: int, *, base: float = 10000.0, dtype: type = np.float32) -> np.ndarray:
    """The table of shape (L, D), sine and cosine interleaved.

    Computed in float64 and rounded once to `dtype`. Raises EmbedvizError if
    output_dim is odd or less than 2, since every sine needs its cosine.
    """
    if output_dim < 2 or output_dim % 2:
        raise EmbedvizError(
            f"Sinusoidal positions need an even output_dim, a sine and a cosine each; "
            f"{output_dim} is not. Try {max(output_dim + output_dim % 2, 2)}."
        )
    frequencies = base ** (-np.arange(0, output_dim, 2) / output_dim)  # (D/2,)
    angles = np.outer(np.arange(context_length), frequencies)  # (L, D/2)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (L, D/2, 2)
    rows = pairs.reshape(context_length, output_dim).astype(dtype)  # (L, D)
    rows.flags.writeable = False
    return rows
