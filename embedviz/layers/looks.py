"""Where a head looks in sentences at hand: how much of its weight lies on a place, such as the token before."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from embedviz.base.i18n import N_

PLACES: Mapping[str, str] = MappingProxyType(
    {
        "before": N_("the token before"),
        "itself": N_("the token itself"),
        "after": N_("the token after"),
        "first": N_("the first token"),
        "last": N_("the last token"),
    }
)
_STEPS = {"before": -1, "itself": 0, "after": 1}


def cells(place: str, n_tokens: int) -> np.ndarray:
    """The cells of a matrix of weights that belong to a place, bool (T, T): at most one in each row.

    The first token does not look at itself as at the first one, and the last not at itself as at the last.
    """
    if place in _STEPS:
        return np.eye(n_tokens, k=_STEPS[place], dtype=bool)
    found = np.zeros((n_tokens, n_tokens), bool)
    at = 0 if place == "first" else n_tokens - 1
    found[:, at] = np.arange(n_tokens) != at
    return found


def shares(attentions: Sequence[np.ndarray], place: str) -> np.ndarray:
    """The mean weight on a place, float32 (n_layers, H), over all rows of all sentences that have such a cell.

    attentions: (n_layers, H, T, T) of each sentence. It is 0 where no row has one.
    """
    found = [each[..., cells(place, each.shape[-1])] for each in attentions]  # (n_layers, H, rows)
    rows = np.concatenate(found, axis=-1)
    return rows.mean(axis=-1) if rows.shape[-1] else np.zeros(rows.shape[:-1], np.float32)


def strongest(attentions: Sequence[np.ndarray], place: str) -> tuple[int, int]:
    """The layer and the head, from 0, that have most weight on a place."""
    found = shares(attentions, place)
    layer, head = np.unravel_index(found.argmax(), found.shape)
    return int(layer), int(head)


def most(attentions: Sequence[np.ndarray], layer: int, head: int) -> str:
    """The place on which a head has most of its weight."""
    one = [each[layer : layer + 1, head : head + 1] for each in attentions]
    return max(PLACES, key=lambda place: shares(one, place)[0, 0])


def even(n_tokens: int, *, is_causal: bool) -> np.ndarray:
    """The weights of a head that sees all tokens alike, float32 (1, 1, T, T)."""
    seen = np.tri(n_tokens) if is_causal else np.ones((n_tokens, n_tokens))
    return (seen / seen.sum(axis=-1, keepdims=True)).astype(np.float32)[None, None]
