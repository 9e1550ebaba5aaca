"""One self-attention layer over a sentence, under any position scheme, with or without a causal mask."""

from dataclasses import dataclass

import numpy as np

from embedviz import positions
from embedviz.embedding import Embedded
from embedviz.errors import EmbedvizError
from embedviz.layer import Layer, layer_for
from embedviz.positions.like import distances

MAX_SCORES = 2**24  # H x T x T


@dataclass(frozen=True)
class Attention:
    """What a layer of H heads makes of T tokens; read-only arrays of one dtype, float32 or float64.

    queries, keys: (H, T, d), as they meet in the scores, so turned by RoPE.
    content: what the scores of the token vectors alone are, (H, T, T), row i the query, column j the key.
    positional: what positions add to them, (H, T, T). scores: their sum, before the mask and the softmax.
    weights: the softmax over j, (H, T, T); with a causal mask 0 where j > i.
    outputs: (T, D), the heads side by side; there is no output projection.
    """

    layer: Layer
    causal: bool
    queries: np.ndarray
    keys: np.ndarray
    content: np.ndarray
    positional: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray

    def seen_by(self, head: int) -> np.ndarray:
        """The weights of one head, (T, T), with NaN where the mask hides a token."""
        weights = self.weights[head]
        return np.where(np.tri(len(weights), dtype=bool), weights, np.nan) if self.causal else weights


def self_attention(embedded: Embedded, n_heads: int = 1, *, causal: bool = False) -> Attention:
    """The layer that belongs to the Spec of a sentence, over that sentence. Raises as `attend` does."""
    layer = layer_for(embedded.spec, n_heads)
    return attend(embedded.token_embeddings, layer, added=embedded.positional_embeddings, causal=causal)


def attend(
    token_embeddings: np.ndarray,
    layer: Layer,
    *,
    added: np.ndarray | None = None,
    places: np.ndarray | None = None,
    causal: bool = False,
    dtype: type = np.float32,
) -> Attention:
    """Attend over T token vectors, shape (T, D).

    added: positional vectors of the same shape, for the schemes that add. places: the position of each
    token, whole numbers of shape (T,), for the others; counted from 0 by default.
    All scores are divided by sqrt(d), DeBERTa's by sqrt(3d) as in its paper; T5, which leaves the division
    to its initial weights, is divided here too, so that schemes can be compared. Biases are added after it.
    Raises EmbedvizError without tokens, for vectors of another size, and for too many scores.
    """
    _check(token_embeddings, layer)
    tokens = token_embeddings.astype(dtype, copy=False)
    vectors = tokens if added is None else tokens + added.astype(dtype, copy=False)
    at = np.arange(len(tokens)) if places is None else np.asarray(places)
    query, key, scores = _scores(vectors, layer, at, causal)
    moved = layer.position == "rope" or vectors is not tokens
    alone = (_heads(tokens, matrix, layer) for matrix in (layer.query, layer.key)) if moved else (query, key)
    content = _products(*alone, layer)
    weights = _softmax(scores, causal)  # (H, T, T)
    outputs = weights @ _heads(vectors, layer.value, layer) + _own_values(layer, weights, at)  # (H, T, d)
    results = (query, key, content, scores - content, scores, weights, _side_by_side(outputs))
    for result in results:
        result.flags.writeable = False
    return Attention(layer, causal, *results)


def attention_scores(vectors: np.ndarray, layer: Layer, places: np.ndarray, *, causal: bool = False) -> np.ndarray:
    """The scores of `attend` alone, (H, T, T) in the dtype of the vectors (T, D). Raises as `attend` does."""
    _check(vectors, layer)
    return _scores(vectors, layer, places, causal)[2]


def _scores(
    vectors: np.ndarray, layer: Layer, at: np.ndarray, causal: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries and keys, (H, T, d), and their scores, (H, T, T)."""
    query, key = (_heads(vectors, matrix, layer) for matrix in (layer.query, layer.key))
    if layer.position == "rope":
        query, key = (positions.rope.rotate(each, at) for each in (query, key))
    return query, key, _products(query, key, layer) + _inside(layer, query, key, at, bidirectional=not causal)


def _check(vectors: np.ndarray, layer: Layer) -> None:
    n_tokens, output_dim = vectors.shape
    if not n_tokens:
        raise EmbedvizError("Attention needs at least one token: its weights are shares of a sum over them.")
    if output_dim != len(layer.query):
        raise EmbedvizError(f"The layer takes vectors of {len(layer.query)} dimensions, not {output_dim}.")
    if layer.n_heads * n_tokens**2 > MAX_SCORES:
        raise EmbedvizError(
            f"{layer.n_heads} heads over {n_tokens:,} tokens make {layer.n_heads * n_tokens**2:,} scores; "
            f"the limit is {MAX_SCORES:,}. Try {int((MAX_SCORES // layer.n_heads) ** 0.5):,} tokens."
        )


def _heads(vectors: np.ndarray, matrix: np.ndarray, layer: Layer) -> np.ndarray:
    """(R, D) through a matrix to (H, R, d)."""
    projected = vectors @ matrix.astype(vectors.dtype, copy=False)  # (R, D)
    return np.ascontiguousarray(projected.reshape(len(vectors), layer.n_heads, -1).transpose(1, 0, 2))


def _side_by_side(heads: np.ndarray) -> np.ndarray:
    """(H, T, d) to (T, D)."""
    return np.ascontiguousarray(heads.transpose(1, 0, 2)).reshape(heads.shape[1], -1)


def _products(query: np.ndarray, key: np.ndarray, layer: Layer) -> np.ndarray:
    """Query times key, scaled, (H, T, T)."""
    return query @ key.transpose(0, 2, 1) / _root(query, layer)


def _root(query: np.ndarray, layer: Layer) -> np.ndarray:
    n_terms = 3 if layer.position == "deberta" else 1
    return np.sqrt(np.array(n_terms * query.shape[-1], query.dtype))


def _inside(layer: Layer, query: np.ndarray, key: np.ndarray, at: np.ndarray, bidirectional: bool) -> np.ndarray:
    """What the scheme puts into the scores beside query times key, (H, T, T) or 0."""
    own = {name: table.astype(query.dtype, copy=False) for name, table in layer.own.items()}
    if layer.position == "alibi":
        return positions.alibi.bias_at(at, own["slopes"])
    if layer.position == "t5":
        steps, index = _steps(at)
        return own["bias"][positions.t5.bucket(steps, bidirectional)[index]].transpose(2, 0, 1)
    if layer.position == "shaw":
        return _gathered(query, own["keys"][None], positions.shaw.index(distances(at))) / _root(query, layer)
    if layer.position == "transformer_xl":
        return _transformer_xl(layer, own, query, key, at) / _root(query, layer)
    if layer.position == "deberta":
        return _deberta(layer, own, query, key, at) / _root(query, layer)
    return np.zeros((), query.dtype)


def _steps(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The steps key - query that there may be, (R,), and which of them every pair is, (T, T)."""
    reach = at.max() - at.min()
    if reach < 4 * len(at):
        return np.arange(-reach, reach + 1), distances(at) + reach
    steps, index = np.unique(distances(at), return_inverse=True)
    return steps, index.reshape(len(at), len(at))


def _transformer_xl(layer: Layer, own: dict, query: np.ndarray, key: np.ndarray, at: np.ndarray) -> np.ndarray:
    steps, index = _steps(at)
    sinusoids = positions.transformer_xl.vectors(-steps, len(layer.query), query.dtype)  # (R, D)
    relative = _heads(sinusoids, own["position_key"], layer)  # (H, R, d)
    by_distance = _gathered(query + own["v"][:, None], relative, index)  # (H, T, T)
    by_content = own["u"][:, None] @ key.transpose(0, 2, 1)  # (H, 1, T)
    return by_distance + by_content


def _deberta(layer: Layer, own: dict, query: np.ndarray, key: np.ndarray, at: np.ndarray) -> np.ndarray:
    steps, index = _steps(at)
    vectors = own["relative"][positions.deberta.delta(-steps)]  # (R, D)
    to_position = _gathered(query, _heads(vectors, own["position_key"], layer), index)  # (H, T, T)
    # Row j of these is the key, column i the query: delta(j, i) is asked for, and then transposed.
    from_position = _gathered(key, _heads(vectors, own["position_query"], layer), index)
    return to_position + from_position.transpose(0, 2, 1)


def _gathered(left: np.ndarray, vectors: np.ndarray, index: np.ndarray) -> np.ndarray:
    """left[h, i] . vectors[h, index[i, j]] for every i and j: (H, T, d), (H or 1, R, d), (T, T) to (H, T, T)."""
    products = left @ vectors.transpose(0, 2, 1)  # (H, T, R)
    return np.take_along_axis(products, index[None], axis=2)


def _own_values(layer: Layer, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Shaw's second table in the outputs, (H, T, d): the weights of all keys at one distance, times its row."""
    if layer.position != "shaw":
        return np.zeros((), weights.dtype)
    values = layer.own["values"].astype(weights.dtype, copy=False)  # (2k + 1, d)
    n_tokens, n_rows = len(at), len(values)
    rows = np.arange(layer.n_heads * n_tokens).reshape(-1, n_tokens, 1)  # (H, T, 1), one number a query
    bins = rows * n_rows + positions.shaw.index(distances(at))  # (H, T, T)
    shares = np.bincount(bins.ravel(), weights.ravel(), layer.n_heads * n_tokens * n_rows)
    return shares.astype(weights.dtype).reshape(layer.n_heads, n_tokens, n_rows) @ values


def _softmax(scores: np.ndarray, causal: bool) -> np.ndarray:
    kept = np.tri(scores.shape[-1], dtype=bool) if causal else np.ones((), bool)
    masked = np.where(kept, scores, -np.inf)
    grown = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)
