"""Sliding windows and sinks over a sentence: who sees whom, how far information gets, and where weights go.

Windows: Mistral 7B (Jiang et al., 2023). Kept first tokens: StreamingLLM (Xiao et al., 2023). Learned sinks: gpt-oss.
"""

from dataclasses import dataclass

import numpy as np

from embedviz.attention.attention import Attention, self_attention
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.vectors.embedding import Embedded

NEVER = -1  # in the place of a number of layers
_MOST = 2**20  # tokens in a window: more than any model takes


def sliding_window(n_tokens: int, window: int, n_first: int = 0) -> np.ndarray:
    """Which tokens each token sees, bool of shape (T, T), with a causal mask.

    Token i sees itself and the window - 1 tokens before it, as in `sliding_window_overlay` of transformers'
    masking_utils.py, which lets through keys j > i - window. n_first: the first tokens of the text that stay visible
    to all after them although the window has moved on.
    Raises EmbedvizError unless 1 <= window and 0 <= n_first.
    """
    check_whole("window", window, 1, _MOST)
    check_whole("n_first", n_first, 0, _MOST)
    at = np.arange(n_tokens)
    back = at[:, None] - at[None, :]  # how far key j stands before query i
    return read_only((back >= 0) & ((back < window) | (at[None, :] < n_first)))


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

    def grown(self, head: int) -> float:
        """How many times as large each weight of the last token becomes that the window leaves."""
        left = float(self.whole.weights[head, -1][self.alone.visible[-1]].sum())
        return 1 / left if left else float("inf")


def with_window(embedded: Embedded, n_heads: int, window: int) -> Windowed:
    """The layer of a sentence's Spec with a window. Raises as `self_attention` and `sliding_window` do."""
    visible = sliding_window(len(embedded.tokens), window)
    return Windowed(
        window,
        self_attention(embedded, n_heads, causal=True),
        self_attention(embedded, n_heads, causal=True, visible=visible),
        layers_needed(visible),
    )


@dataclass(frozen=True)
class Sinks:
    """One layer over a sentence: with a window alone, with the first tokens kept in view, and with a learned sink.

    n_first: how many of the first tokens are kept. sink: the logit that belongs to no token. kept: the window and the
    first tokens. learned: the window and the sink.
    """

    windowed: Windowed
    n_first: int
    sink: float
    kept: Attention
    learned: Attention

    def sums(self, head: int) -> np.ndarray:
        """What the weights of each token sum to beside the sink, (T,); the sink has the rest of 1."""
        return self.learned.weights[head].sum(axis=-1)

    def on_first(self, head: int) -> float:
        """The share of the last token's weight that lies on first tokens that the window alone would hide."""
        gained = self.kept.visible[-1] & ~self.windowed.alone.visible[-1]
        return float(self.kept.weights[head, -1][gained].sum())

    @property
    def n_gained(self) -> int:
        """How many first tokens the last token sees again."""
        return int((self.kept.visible[-1] & ~self.windowed.alone.visible[-1]).sum())


def with_sinks(embedded: Embedded, n_heads: int, window: int, n_first: int, sink: float) -> Sinks:
    """The layer of a sentence's Spec with both kinds of sinks. Raises as `self_attention` and `sliding_window` do."""
    windowed = with_window(embedded, n_heads, window)
    wider = sliding_window(len(embedded.tokens), window, n_first)
    return Sinks(
        windowed,
        n_first,
        sink,
        self_attention(embedded, n_heads, causal=True, visible=wider),
        self_attention(embedded, n_heads, causal=True, visible=windowed.alone.visible, sink=sink),
    )
