"""Sliding windows of attention, as in Mistral 7B (Jiang et al., 2023): who sees whom, and how far that reaches."""

from dataclasses import dataclass

import numpy as np

from embedviz.attention.attention import Attention, self_attention
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.vectors.embedding import Embedded

NEVER = -1  # in the place of a number of layers
_MOST = 2**20  # tokens in a window: more than any model takes


def sliding_window(n_tokens: int, window: int) -> np.ndarray:
    """Which tokens each token sees, bool of shape (T, T), with a causal mask.

    Token i sees itself and the window - 1 tokens before it, as in `sliding_window_overlay` of transformers'
    masking_utils.py, which lets through keys j > i - window. Raises EmbedvizError unless 1 <= window.
    """
    check_whole("window", window, 1, _MOST)
    at = np.arange(n_tokens)
    back = at[:, None] - at[None, :]  # how far key j stands before query i
    return read_only((back >= 0) & (back < window))


def layers_needed(visible: np.ndarray) -> np.ndarray:
    """Through how many layers with this mask token j reaches token i: whole numbers of shape (T, T).

    A token has itself without any layer, 0. It is NEVER where no number of layers is enough. In every layer a token
    passes on what it has heard, so what i has after n layers is what those that it sees had after n - 1.
    """
    heard = np.eye(len(visible), dtype=bool)
    needed = np.where(heard, 0, NEVER)
    n_layers = 0
    while True:
        n_layers += 1
        new = ((visible.astype(np.float32) @ heard.astype(np.float32)) > 0) & (needed == NEVER)
        if not new.any():
            return read_only(needed)
        needed[new] = n_layers
        heard = needed != NEVER


@dataclass(frozen=True)
class Windowed:
    """One layer over a sentence of T tokens with a causal mask alone, and with a sliding window.

    whole: without a window. alone: with the window alone. needed: `layers_needed` with the window, (T, T).
    """

    window: int
    whole: Attention
    alone: Attention
    needed: np.ndarray

    @property
    def n_tokens(self) -> int:
        """The number of tokens, T."""
        return len(self.needed)

    @property
    def most_seen(self) -> int:
        """How many tokens a token sees at most, itself among them."""
        return int(self.alone.visible.sum(axis=1).max())

    @property
    def for_last(self) -> int:
        """Through how many layers the last token hears of the first, or NEVER."""
        return int(self.needed[-1, 0])

    def farthest(self, n_layers: int) -> int:
        """The position of the first token that reaches the last one through n_layers layers."""
        last = self.needed[-1]
        return int(np.argmax((last != NEVER) & (last <= n_layers)))

    def hidden(self, head: int) -> float:
        """The share of the last token's weight, without a window, that lies on tokens that the window hides."""
        return float(self.whole.weights[head, -1][~self.alone.visible[-1]].sum())


def with_window(embedded: Embedded, n_heads: int, window: int) -> Windowed:
    """The layer of a sentence's Spec with a window. Raises as `self_attention` and `sliding_window` do."""
    visible = sliding_window(len(embedded.tokens), window)
    return Windowed(
        window,
        self_attention(embedded, n_heads, causal=True),
        self_attention(embedded, n_heads, causal=True, visible=visible),
        layers_needed(visible),
    )
