"""Attention with linear biases, ALiBi (Press et al. 2021, section 3).

    score(i, j) = q_i . k_j / sqrt(d) - m_h |i - j|

with one slope m_h a head, which is not learned. For H = 2^n heads the slopes are the geometric sequence
2^(-8/H), 2^(-16/H), ..., 2^-8. For other H, as in the authors' code: those of the next lower power of two,
then every other one of the next higher.
"""

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.positions.common import distances
from embedviz.positions.scheme import Lines, OwnTable, Program, Scheme

MAX_SLOPES = 1024
MAX_TOKENS = 8192


def slopes(n_heads: int, dtype: type = np.float32) -> np.ndarray:
    """The slope of every head, shape (H,). Raises EmbedvizError unless 1 <= n_heads <= 1,024."""
    check_whole("n_heads", n_heads, 1, MAX_SLOPES)
    lower = 2 ** (n_heads.bit_length() - 1)
    every = np.concatenate([_geometric(lower), _geometric(2 * lower)[::2]])[:n_heads]
    return read_only(every.astype(dtype))


def bias(n_tokens: int, n_heads: int, dtype: type = np.float32) -> np.ndarray:
    """The biases that are added to the scores, shape (H, T, T). Row i is the query, column j the key.

    The paper has a causal mask, so that j <= i. Here keys that come later get the same penalty for the same
    distance, so that without a mask a sentence and its mirror image look alike. The layer itself calls `by_distance`,
    which takes any positions. Raises EmbedvizError for no tokens or no heads.
    """
    check_whole("n_tokens", n_tokens, 1, MAX_TOKENS)
    return read_only(by_distance(distances(np.arange(n_tokens)), slopes(n_heads, dtype)))


def by_distance(steps: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The biases of heads with these slopes, (H,), at distances, whole numbers of any shape: (H, *shape)."""
    return np.multiply.outer(-slope, np.abs(steps).astype(slope.dtype))


def _geometric(n_heads: int) -> np.ndarray:
    """2^(-8/H), 2^(-16/H), ..., 2^-8."""
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)


SCHEME = Scheme(
    name="alibi",
    title="ALiBi",
    kind="bias",
    paper="Press et al. 2021",
    seen_in="relative/distance",
    # Of shape (H,), and not learned.
    own=(OwnTable("slopes", lambda output_dim, n_heads, generator: torch.from_numpy(slopes(n_heads).copy()), "row"),),
    score=lambda heads: by_distance(distances(heads.places)[heads.rows], heads.own["slopes"]),
    past_training="formula",
    program=Program(
        tables=lambda causal: (
            "def geometric(n):  # n a power of two",
            "    return [2 ** (-8 * h / n) for h in range(1, n + 1)]",
            "",
            "power = 2 ** (n_heads.bit_length() - 1)  # the largest that is not above",
            "slopes = torch.tensor(geometric(power) + geometric(2 * power)[::2][: n_heads - power])",
        ),
        layer=Lines(after=("s = s - slopes[:, None, None] * steps.abs()",)),
    ),
)
