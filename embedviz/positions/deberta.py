"""DeBERTa's disentangled attention (He et al. 2020, section 3.1).

    score(i, j) = (Qc_i . Kc_j  +  Qc_i . Kr[delta(i, j)]  +  Kc_j . Qr[delta(j, i)]) / sqrt(3d)

    delta(i, j) = 0          if i - j <= -k
                  2k - 1     if i - j >= k
                  i - j + k  otherwise

Content to content, content to position, position to content; the published code looks Qr up at
delta(i, j), which is the paper's with the rows of Qr in the other order. Kr = P W_kr and Qr = P W_qr,
where P holds 2k learned vectors that all layers share. The 3 under the root is the number of terms.
"""

import numpy as np

from embedviz.base.checks import check_whole
from embedviz.positions.common import A, array, gathered, heads, like, matrix, normal, unique_distances
from embedviz.positions.scheme import Heads, Learned, Lines, OwnTable, Program, Scheme

MAX_DISTANCE = 512  # k, the paper's


def delta(distances: A, max_distance: int = MAX_DISTANCE) -> A:
    """The row of P, 0 to 2k - 1, for every distance, key - query, which is the paper's j - i; like the input.

    Raises EmbedvizError unless max_distance, k, is a whole number from 1.
    """
    check_whole("max_distance", max_distance, 1, 2**20)
    return like(np.clip(max_distance - array(distances), 0, 2 * max_distance - 1), distances)


def _score(layer: Heads) -> np.ndarray:
    distances, index = unique_distances(layer.places)
    vectors = layer.own["relative"][delta(distances)]  # (R, D)
    keys, queries = (heads(vectors, layer.own[name], len(layer.queries)) for name in ("position_key", "position_query"))
    to_position = gathered(layer.queries, keys, index[layer.rows])  # (H, N, T)
    # Row j of these is the key, column i the query: delta(j, i) is asked for, and then transposed.
    from_position = gathered(layer.keys, queries, index[:, layer.rows])  # (H, T, N)
    return (to_position + from_position.transpose(0, 2, 1)) / layer.root


SCHEME = Scheme(
    name="deberta",
    title="DeBERTa",
    kind="relative",
    paper="He et al. 2020",
    seen_in="relative/shift",
    own=(
        # P of shape (2k, D), and two matrices (D, D).
        OwnTable("relative", lambda output_dim, n_heads, generator: normal(2 * MAX_DISTANCE, output_dim, generator)),
        OwnTable("position_key", lambda output_dim, n_heads, generator: matrix(output_dim, generator), "columns"),
        OwnTable("position_query", lambda output_dim, n_heads, generator: matrix(output_dim, generator), "columns"),
    ),
    score=_score,
    n_terms=3,
    # All layers share P, and each has two matrices of its own.
    learns=lambda model: Learned(2 * MAX_DISTANCE * model.output_dim, 2 * model.output_dim**2),
    past_training="last row",
    program=Program(
        tables=lambda causal: (
            "relative = torch.randn(1024, D)",
            "W_position_key, W_position_query = (torch.randn(D, D) / D**0.5 for _ in range(2))",
        ),
        layer=Lines(
            inside=(
                "delta = (-steps + 512).clamp(0, 1023)",
                "K, Q = (heads(relative @ W)[:, delta] for W in (W_position_key, W_position_query))  # (H, T, T, d)",
                "s = s + torch.einsum('hid,hijd->hij', q, K) + torch.einsum('hjd,hjid->hij', k, Q)",
                "s = s / 3**0.5",
            )
        ),
    ),
)
