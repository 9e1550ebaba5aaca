"""Where a head looks in sentences at hand: how much of its weight lies on a place, such as the token before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from embedviz.base.i18n import N_
from embedviz.text.tokens import Tokens

PLACES: Mapping[str, str] = MappingProxyType(
    {
        "-3": N_("the third token before"),
        "-2": N_("the second token before"),
        "-1": N_("the token before"),
        "0": N_("the token itself"),
        "1": N_("the token after"),
        "2": N_("the second token after"),
        "3": N_("the third token after"),
        "first": N_("the first token"),
        "last": N_("the last token"),
    }
)
_ENDS = ("first", "last")
# More than half of a head's weight is more than all other tokens have together. One head among a hundred may reach it
# by chance on one text, but not on a text, on random tokens and with shifted positions too.
MOSTLY = 0.5


@dataclass(frozen=True)
class Picked:
    """A head of a model, from 0, and the place that its picture is about, one of PLACES.

    n_sinks: if the place is a sink, how many heads have most of their weight there. of_all: whether all heads stand
    beside it.
    """

    layer: int
    head: int
    place: str
    n_sinks: int = 0
    of_all: bool = False


def cells(place: str, n_tokens: int) -> np.ndarray:
    """The cells of a matrix of weights that belong to a place, bool (T, T): at most one in each row.

    The first token does not look at itself as at the first one, and the last not at itself as at the last.
    """
    if place not in _ENDS:
        return np.eye(n_tokens, k=int(place), dtype=bool)
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


def strongest_sink(attentions: Sequence[np.ndarray], tokens: Tokens, *, is_causal: bool) -> Picked | None:
    """The head that leaves most of its weight on a token that says nothing of the others; None if none does.

    Such a token is one that the tokenizer puts around a text, as [CLS], and the first one of a causal model, which all
    others see. A head counts if more than half of its weight lies there, in all sentences together. tokens: of one.
    """
    found = []
    for place in _ENDS:
        if special(tokens, place) or (is_causal and place == "first"):
            n_sinks = int((shares(attentions, place) > MOSTLY).sum())
            found += [Picked(*strongest(attentions, place), place, n_sinks)] * (n_sinks > 0)
    return max(found, key=lambda picked: picked.n_sinks, default=None)


def n_leaning(attentions: np.ndarray, at: int) -> int:
    """How many heads of (n_layers, H, T, T) have most of their weight on one token, from all others."""
    return int((np.delete(attentions[..., at], at, axis=-1).mean(axis=-1) > MOSTLY).sum())


def special(tokens: Tokens, place: str) -> str:
    """The text of the special token at a place, as it is written; empty if there is none, or the place is another."""
    at = {"first": 0, "last": len(tokens) - 1}.get(place)
    return "" if at is None or len({*tokens.spans[at]}) > 1 else tokens.texts[at]


def visible_weights(weights: np.ndarray, *, is_causal: bool) -> np.ndarray:
    """The weights of a head, (T, T), NaN where a causal mask hides a later token."""
    return np.where(np.tri(len(weights), dtype=bool), weights, np.float32("nan")) if is_causal else weights


def even(n_tokens: int, *, is_causal: bool) -> np.ndarray:
    """The weights of a head that sees all tokens alike, float32 (1, 1, T, T)."""
    seen = np.tri(n_tokens) if is_causal else np.ones((n_tokens, n_tokens))
    return (seen / seen.sum(axis=-1, keepdims=True)).astype(np.float32)[None, None]
