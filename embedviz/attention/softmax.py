"""From scores to weights: which tokens a token sees, and the softmax over those."""

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError


def both_masks(n_tokens: int, causal: bool, visible: np.ndarray | None) -> np.ndarray | None:
    """Which tokens each of T tokens sees, by a causal mask and by `visible`, bool (T, T); None if each sees all.

    Raises EmbedvizError if the mask has another shape or hides every token from one of them.
    """
    if visible is None:
        return read_only(np.tri(n_tokens, dtype=bool)) if causal else None
    if visible.shape != (n_tokens, n_tokens):
        raise EmbedvizError(
            "A mask for {n:,} tokens has the shape ({n}, {n}), not {shape}.", n=n_tokens, shape=visible.shape
        )
    seen = visible & np.tri(n_tokens, dtype=bool) if causal else visible.copy()
    if not seen.any(axis=-1).all():
        raise EmbedvizError(
            "The mask hides every token from token {n}. Let each see itself.", n=int(seen.any(axis=-1).argmin())
        )
    return read_only(seen)


def softmax(scores: np.ndarray, visible: np.ndarray | None, sink: float | None) -> np.ndarray:
    """The weights of scores over the last axis, 0 where `visible` is False. sink: as `attend` has it."""
    masked = np.where(np.ones((), bool) if visible is None else visible, scores, -np.inf)
    highest = masked.max(axis=-1, keepdims=True)
    if sink is None:
        grown = np.exp(masked - highest)
        return grown / grown.sum(axis=-1, keepdims=True)
    logit = np.array(sink, scores.dtype)
    highest = np.maximum(highest, logit)
    grown = np.exp(masked - highest)
    return grown / (grown.sum(axis=-1, keepdims=True) + np.exp(logit - highest))
