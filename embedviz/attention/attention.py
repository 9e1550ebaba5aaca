"""One self-attention layer over a sentence, under any position scheme, with any mask, with or without a sink."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from embedviz.attention.layer import Layer, layer_for
from embedviz.attention.scores import products, queries_and_keys, scored
from embedviz.attention.softmax import both_masks, softmax
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_finite
from embedviz.positions import SCHEMES
from embedviz.positions.common import heads
from embedviz.vectors.embedding import Embedded


@dataclass(frozen=True)
class Attention:
    """What a layer of H heads computes for T tokens. All arrays are read-only and share one dtype, float32 or float64.

    token_embeddings: the token vectors before positions are added, (T, D).
    queries, keys: the vectors whose products are the scores, (H, T, d). Under RoPE they are already turned.
    values: the vectors whose weighted sums are the outputs, (H, T, d).
    scores: the scores before the mask and the softmax, (H, T, T). Row i is the query, column j the key.
    weights: the softmax of the scores over j, (H, T, T). They are 0 where token i does not see token j.
    outputs: the outputs of the heads side by side, (T, D). There is no output projection.
    visible: whether token i sees token j, a bool array of shape (T, T); None if every token sees all.
    """

    layer: Layer
    causal: bool
    token_embeddings: np.ndarray
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray
    visible: np.ndarray | None = None

    @cached_property
    def content(self) -> np.ndarray:
        """The scores that the token vectors alone would have, (H, T, T)."""
        layer = self.layer
        return read_only(products(*queries_and_keys(self.token_embeddings, layer), layer))

    @cached_property
    def positional(self) -> np.ndarray:
        """The part of the scores that positions add: the scores minus `content`, (H, T, T)."""
        return read_only(self.scores - self.content)


class Projected(NamedTuple):
    """What heads have of T tokens: queries, keys and values, (H, T, d) each.

    scaling: what scores are multiplied by. cap: what no score exceeds, as Gemma 2 has it; None if there is no such cap.
    """

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scaling: float
    cap: float | None = None


class Weighted(NamedTuple):
    """The weights of heads, (H, T, T), and their outputs side by side, (T, D)."""

    weights: np.ndarray
    outputs: np.ndarray


def weighted(projected: Projected, *, causal: bool = False, dtype: type = np.float32) -> Weighted:
    """Attend with queries, keys and values that a model has made. Raises EmbedvizError if a number is not finite."""
    queries, keys, values = (each.astype(dtype, copy=False) for each in projected[:3])
    scores = queries @ keys.transpose(0, 2, 1) * dtype(projected.scaling)
    if projected.cap:
        scores = projected.cap * np.tanh(scores / projected.cap)
    weights = softmax(scores, both_masks(queries.shape[1], causal, None), None)
    return Weighted(read_only(weights), read_only(_side_by_side(weights @ values)))


def self_attention(
    embedded: Embedded,
    n_heads: int = 1,
    *,
    causal: bool = False,
    visible: np.ndarray | None = None,
    sink: float | None = None,
) -> Attention:
    """Apply the layer that belongs to a sentence's Spec to that sentence. Takes and raises the same as `attend`."""
    layer = layer_for(embedded.spec, n_heads)
    how = {"causal": causal, "visible": visible, "sink": sink}
    return attend(embedded.token_embeddings, layer, added=embedded.added, **how)


def attend(
    token_embeddings: np.ndarray,
    layer: Layer,
    *,
    added: np.ndarray | None = None,
    places: np.ndarray | None = None,
    causal: bool = False,
    visible: np.ndarray | None = None,
    sink: float | None = None,
    dtype: type = np.float32,
) -> Attention:
    """Attend over T token vectors, shape (T, D).

    added: positional vectors of the same shape, for the schemes that add vectors. places: the position of each
    token, whole numbers of shape (T,), for the other schemes; they count from 0 by default.
    visible: bool of shape (T, T), False where token i must not see token j, in addition to a causal mask. sink: one
    more number in every softmax, which belongs to no token and whose weight is dropped, as in gpt-oss (`sinks` in
    transformers' modeling_gpt_oss.py). The weights of a token then sum to less than 1.
    All scores are divided by sqrt(d), DeBERTa's by sqrt(3d) as in its paper. T5 leaves this division to its
    initial weights; here its scores are divided too, so that schemes can be compared. Biases are added afterwards.
    Raises EmbedvizError if there are no tokens, if vectors have another size, if there are too many scores, if a number
    is not finite, or if the mask has another shape or hides every token from one of them.
    """
    tokens = token_embeddings.astype(dtype, copy=False)
    vectors = tokens if added is None else tokens + added.astype(dtype, copy=False)
    at = np.arange(len(tokens)) if places is None else np.asarray(places)
    query, key, scores = scored(*queries_and_keys(vectors, layer), layer, at, causal=causal)
    seen = both_masks(len(tokens), causal, visible)
    values = heads(vectors, layer.value, layer.n_heads)
    weights = softmax(scores, seen, sink)  # (H, T, T)
    arrays = (query, key, values, scores, weights, _outputs(weights, values, layer, at))
    query, key, values, scores, weights, outputs = map(read_only, arrays)
    return Attention(layer, causal, tokens, query, key, values, scores, weights, outputs, seen)


def attend_last(vectors: np.ndarray, n_last: int, layer: Layer) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `attend` gives of the last N of T vectors, (T, D), each of which sees all: less work where N is much less.

    Returns their scores and weights, (H, N, T) each, and their outputs, (N, D). Raises the same errors.
    """
    at = np.arange(len(vectors))
    _query, _key, scores = scored(*queries_and_keys(vectors, layer), layer, at, n_last=n_last)
    weights = softmax(scores, None, None)
    return scores, weights, _outputs(weights, heads(vectors, layer.value, layer.n_heads), layer, at)


def with_causal_mask(attention: Attention) -> Attention:
    """The same vectors under a causal mask, where no token has been hidden, and there are no positions and no sink.

    The scores are the same: what `attend` would compute again is only the softmax, and what follows from it.
    Raises ValueError for another attention, whose scores or outputs may depend on the mask.
    """
    if attention.layer.position != "none" or attention.visible is not None:
        raise ValueError("only an attention without positions and without a mask can get one")
    seen = both_masks(len(attention.token_embeddings), True, None)
    weights = read_only(softmax(attention.scores, seen, None))
    outputs = read_only(_side_by_side(weights @ attention.values))
    return replace(attention, causal=True, weights=weights, outputs=outputs, visible=seen)


def _outputs(weights: np.ndarray, values: np.ndarray, layer: Layer, places: np.ndarray) -> np.ndarray:
    """From weights (H, N, T) and values (H, T, d) to the outputs of the heads side by side, (N, D)."""
    outputs = weights @ values  # (H, N, d)
    if own_outputs := SCHEMES[layer.position].outputs:
        outputs += own_outputs(layer.own, weights, places)
    return _side_by_side(outputs)


def _side_by_side(outputs: np.ndarray) -> np.ndarray:
    """The outputs of the heads, (H, T, d), for each token: (T, D). Raises EmbedvizError if one is not finite."""
    check_finite(outputs)
    return np.ascontiguousarray(outputs.transpose(1, 0, 2)).reshape(outputs.shape[1], -1)
