"""Relative position representations (Shaw et al. 2018, section 3).

    score(i, j) = q_i . (k_j + aK[clip(j - i, -k, k)]) / sqrt(d)
    output(i)   = sum over j of weight(i, j) (v_j + aV[clip(j - i, -k, k)])

aK and aV are learned, 2k + 1 vectors each. Here all heads share them, as the paper proposes to save memory.
Beyond distance k all keys look equally far.
"""

import numpy as np
import torch

from embedviz.base.checks import check_whole
from embedviz.positions import common
from embedviz.positions.common import A, array, gathered, like, normal
from embedviz.positions.scheme import Heads, Learned, Lines, OwnTable, Program, Scheme

MAX_DISTANCE = 16  # k; the paper tries 0 to 256 and finds little difference from 2 on


def index(distances: A, max_distance: int = MAX_DISTANCE) -> A:
    """The row of aK and aV, 0 to 2k, for every distance, key - query; like the input.

    Raises EmbedvizError unless max_distance, k, is a whole number from 0.
    """
    check_whole("max_distance", max_distance, 0, 2**20)
    return like(np.clip(array(distances), -max_distance, max_distance) + max_distance, distances)


def _table(output_dim: int, n_heads: int, generator: torch.Generator) -> torch.Tensor:
    """Untrained vectors aK or aV, standard normal, shape (2k + 1, d), float32."""
    return normal(2 * MAX_DISTANCE + 1, output_dim // n_heads, generator)


def _score(heads: Heads) -> np.ndarray:
    steps = common.distances(heads.places)[heads.rows]  # (N, T)
    return gathered(heads.queries, heads.own["keys"][None], index(steps)) / heads.root


def _outputs(own: dict[str, np.ndarray], weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What goes into the outputs: for each distance, the sum of the weights of its keys, times its row of aV."""
    values = own["values"].astype(weights.dtype, copy=False)  # (2k + 1, d)
    (n_heads, n_tokens, _), n_rows = weights.shape, len(values)
    rows = np.arange(n_heads * n_tokens).reshape(-1, n_tokens, 1)  # (H, N, 1), one number a query
    bins = rows * n_rows + index(common.distances(places)[-n_tokens:])  # (H, N, T)
    shares = np.bincount(bins.ravel(), weights.ravel(), n_heads * n_tokens * n_rows)
    return shares.astype(weights.dtype).reshape(n_heads, n_tokens, n_rows) @ values


SCHEME = Scheme(
    name="shaw",
    title="Shaw",
    kind="relative",
    paper="Shaw et al. 2018",
    seen_in="relative/shift",
    own=(OwnTable("keys", _table), OwnTable("values", _table)),  # (2k + 1, d)
    score=_score,
    outputs=_outputs,
    # Each layer has vectors of its own, as in the paper's section 4.1.
    learns=lambda model: Learned(each_layer=2 * (2 * MAX_DISTANCE + 1) * model.output_dim // model.n_heads),
    past_training="last row",
    program=Program(
        tables=lambda causal: (
            "keys, values = torch.randn(33, head_dim), torch.randn(33, head_dim)  # 16 steps either way, and 0",
        ),
        layer=Lines(
            inside=("s = s + torch.einsum('hid,ijd->hij', q, keys[steps.clamp(-16, 16) + 16])",),
            outputs=("o = o + torch.einsum('hij,ijd->hid', weights, values[steps.clamp(-16, 16) + 16])",),
        ),
    ),
)
