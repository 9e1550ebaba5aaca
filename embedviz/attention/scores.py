"""The scores of a layer's heads: what each query finds of each key, under any position scheme."""

import numpy as np

from embedviz.attention.layer import Layer
from embedviz.base.errors import EmbedvizError
from embedviz.positions import SCHEMES
from embedviz.positions.common import heads
from embedviz.positions.scheme import Heads

MAX_SCORES = 2**24  # H x T x T


def queries_and_keys(vectors: np.ndarray, layer: Layer) -> tuple[np.ndarray, np.ndarray]:
    """The queries and keys of T vectors, (T, D), before any scheme turns them: (H, T, d) each, in their dtype.

    Raises EmbedvizError if there are no tokens, if they have another size, or if they would make too many scores.
    """
    _check(vectors, layer)
    query, key = (heads(vectors, matrix, layer.n_heads) for matrix in (layer.query, layer.key))
    return query, key


def scored(
    query: np.ndarray,
    key: np.ndarray,
    layer: Layer,
    places: np.ndarray,
    *,
    causal: bool = False,
    n_last: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries and keys, (H, T, d), at T positions, as the layer's scheme turns them, and their scores, (H, T, T).

    n_last: how many of the last queries are wanted, and rows of scores; None if all are.
    """
    scheme = SCHEMES[layer.position]
    if scheme.turned:
        query, key = scheme.turned(query, key, places)
    query = query[:, -(n_last or len(places)) :]
    own = {name: table.astype(query.dtype, copy=False) for name, table in layer.own.items()}
    given = Heads(query, key, places, own, _root(query, layer), causal)
    more = scheme.score(given) if scheme.score else np.zeros((), query.dtype)
    return query, key, products(query, key, layer) + more


def attention_scores(vectors: np.ndarray, layer: Layer, places: np.ndarray) -> np.ndarray:
    """Only the scores of `attend`, (H, T, T), in the dtype of the vectors (T, D). Raises the same errors."""
    return scored(*queries_and_keys(vectors, layer), layer, places)[2]


def products(query: np.ndarray, key: np.ndarray, layer: Layer) -> np.ndarray:
    """The scaled products of queries and keys, (H, T, T)."""
    return query @ key.transpose(0, 2, 1) / _root(query, layer)


def _root(query: np.ndarray, layer: Layer) -> np.floating:
    return np.sqrt(query.dtype.type(SCHEMES[layer.position].n_terms * query.shape[-1]))


def _check(vectors: np.ndarray, layer: Layer) -> None:
    n_tokens, output_dim = vectors.shape
    if not n_tokens:
        raise EmbedvizError("Attention needs at least one token.")
    if output_dim != len(layer.query):
        raise EmbedvizError(
            "The layer takes vectors of {width} dimensions, not {output_dim}.",
            width=len(layer.query),
            output_dim=output_dim,
        )
    if layer.n_heads * n_tokens**2 > MAX_SCORES:
        raise EmbedvizError(
            "{n_heads} heads over {n_tokens:,} tokens make {n_scores:,} scores; the limit is {limit:,}. "
            "Try {fitting:,} tokens.",
            n_heads=layer.n_heads,
            n_tokens=n_tokens,
            n_scores=layer.n_heads * n_tokens**2,
            limit=MAX_SCORES,
            fitting=int((MAX_SCORES // layer.n_heads) ** 0.5),
        )
