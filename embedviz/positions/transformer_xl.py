"""Transformer-XL's relative positions (Dai et al. 2019, section 3.3).

    score(i, j) = (q_i . k_j  +  q_i . r  +  u . k_j  +  v . r) / sqrt(d),   r = W_R R[i - j]

R[i - j] is the sinusoidal vector of the distance, not learned; W_R, u and v are. The four terms: content,
content against distance, a bias of the key's content, a bias of the distance.
"""

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.positions import common
from embedviz.positions.common import gathered, heads, kept_for_distances, matrix, normal, unique_distances
from embedviz.positions.scheme import Heads, Learned, Lines, OwnTable, Program, Scheme


def vectors(distances: np.ndarray, output_dim: int, dtype: np.typing.DTypeLike = np.float32) -> np.ndarray:
    """R of every distance, key - query, which is the paper's j - i, of any shape (...): shape (..., D).

    The sines stand before the cosines, as in the authors' code.

    Computed in float64 and rounded once to `dtype`. Raises EmbedvizError if output_dim is odd.
    """
    common.check_pairs("Transformer-XL", output_dim)
    angles = np.multiply.outer(0.0 - np.asarray(distances), common.angular_speeds(output_dim))  # (..., D/2)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).astype(dtype)


@kept_for_distances(2**24)
def _kept_vectors(distances: np.ndarray, output_dim: int, dtype: np.typing.DTypeLike) -> np.ndarray:
    """`vectors` of the distances of a sentence."""
    return read_only(vectors(distances, output_dim, dtype))


def _vector(output_dim: int, n_heads: int, generator: torch.Generator) -> torch.Tensor:
    """The untrained vectors u or v, with one row for each head."""
    return normal(n_heads, output_dim // n_heads, generator)


def _score(layer: Heads) -> np.ndarray:
    distances, index = unique_distances(layer.places)
    sinusoids = _kept_vectors(distances, len(layer.own["position_key"]), layer.queries.dtype)  # (R, D)
    relative = heads(sinusoids, layer.own["position_key"], len(layer.queries))  # (H, R, d)
    by_distance = gathered(layer.queries + layer.own["v"][:, None], relative, index[layer.rows])  # (H, N, T)
    by_content = layer.own["u"][:, None] @ layer.keys.transpose(0, 2, 1)  # (H, 1, T)
    return (by_distance + by_content) / layer.root


SCHEME = Scheme(
    name="transformer_xl",
    title="Transformer-XL",
    kind="relative",
    even_output_dim=True,
    paper="Dai et al. 2019",
    seen_in="relative/shift",
    own=(
        # W_R of shape (D, D), and two vectors (H, d).
        OwnTable("position_key", lambda output_dim, n_heads, generator: matrix(output_dim, generator), "columns"),
        OwnTable("u", _vector, "row"),
        OwnTable("v", _vector, "row"),
    ),
    score=_score,
    # Each layer has a matrix, u and v of its own, as in XLNet (transformers' modeling_xlnet.py).
    learns=lambda model: Learned(each_layer=model.output_dim**2 + 2 * model.output_dim),
    past_training="formula",
    program=Program(
        tables=lambda causal: (
            "W_position = torch.randn(D, D) / D**0.5",
            "u, v_bias = torch.randn(n_heads, head_dim), torch.randn(n_heads, head_dim)",
        ),
        layer=Lines(
            inside=(
                "angles = -steps.double()[..., None] * 10000.0 ** (-torch.arange(0, D, 2).double() / D)",
                "r = torch.cat([angles.sin(), angles.cos()], -1).float() @ W_position  # (T, T, D)",
                "r = r.unflatten(-1, (n_heads, head_dim))",
                "s = s + torch.einsum('hid,ijhd->hij', q + v_bias[:, None], r) + (u[:, None] @ k.mT)",
            )
        ),
    ),
)
