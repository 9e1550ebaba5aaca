"""Attention with linear biases, ALiBi (Press et al. 2021, section 3).

    score(i, j) = q_i . k_j / sqrt(d) - m_h |i - j|

with one slope m_h a head, which is not learned. For H = 2^n heads the slopes are the geometric sequence
2^(-8/H), 2^(-16/H), ..., 2^-8. For other H, as in the authors' code: those of the next lower power of two,
then every other one of the next higher.
"""

import numpy as np

from embedviz.checks import check_whole
from embedviz.positions.like import distances

MAX_HEADS = 1024
MAX_TOKENS = 8192


def slopes(n_heads: int, dtype: type = np.float32) -> np.ndarray:
    """The slope of every head, shape (H,). Raises EmbedvizError unless 1 <= n_heads <= 1,024."""
    check_whole("n_heads", n_heads, 1, MAX_HEADS)
    lower = 2 ** (n_heads.bit_length() - 1)
    every = np.concatenate([_geometric(lower), _geometric(2 * lower)[::2]])[:n_heads]
    found = every.astype(dtype)
    found.flags.writeable = False
    return found


def bias(n_tokens: int, n_heads: int, dtype: type = np.float32) -> np.ndarray:
    """What is added to the scores, shape (H, T, T): row i is the query, column j the key.

    The paper has a causal mask, so that j <= i. Here keys that come later get the same penalty for the same
    distance, so that without a mask a sentence and its mirror image look alike.
    Raises EmbedvizError for no tokens or no heads.
    """
    check_whole("n_tokens", n_tokens, 1, MAX_TOKENS)
    found = bias_at(np.arange(n_tokens), slopes(n_heads, dtype))
    found.flags.writeable = False
    return found


def bias_at(positions: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The same for tokens at these positions, (T,) whole numbers, and heads of these slopes, (H,)."""
    return -slope[:, None, None] * np.abs(distances(positions)).astype(slope.dtype)  # (H, T, T)


def _geometric(n_heads: int) -> np.ndarray:
    """2^(-8/H), 2^(-16/H), ..., 2^-8."""
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
