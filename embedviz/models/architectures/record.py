"""What is known of the positions of a published model, in one record that is made of its layers."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

Sees = Literal["all", "near", "chunk", "picks", "state"]


@dataclass(frozen=True)
class Layer:
    """One layer. Tokens are counted; 0 and () stand for what no source states, or what the layer does not have.

    scheme: a name of `embedviz.positions.SCHEMES`, or "" if a decay alone tells order. sees: "all", the whole text;
        "near", a window around or before each token; "chunk", only its own piece of the text; "picks", those tokens
        that a small indexer chooses by their content; "state", a state of fixed size instead of tokens.
    window: the width of the window or of the piece. picks: how many are chosen. base: RoPE's base, theta. rotated: the
        dimensions of a head that RoPE turns, and all that it has. axes: the pairs of dimensions that turn with time,
        height and width. sinks: True if each head has a learned sink. marked: True if a few marked tokens see
        everything and are seen by all. temperature: the position from which on scores grow with the position's
        logarithm. decay: "fixed" or "gated", how a state forgets. convolved: True if a convolution over the last few
        tokens comes before the state.
    kv: the heads of keys and values, and the dimensions of each. pooled: how many tokens are seen as one; beside: the
    window of those that are seen one by one besides.
    """

    scheme: str = ""
    sees: Sees = "all"
    window: int = 0
    picks: int = 0
    base: float = 0
    rotated: tuple[int, ...] = ()
    axes: tuple[int, ...] = ()
    sinks: bool = False
    marked: bool = False
    temperature: int = 0
    decay: str = ""
    convolved: bool = False
    kv: tuple[int, ...] = ()
    pooled: int = 0
    beside: int = 0

    @property
    def turned(self) -> tuple[int, ...]:
        """The dimensions of a head that RoPE turns, and all that it has; zeros if that is not known."""
        return self.rotated or self.kv[1:2] * 2 or (0, 0)


@dataclass(frozen=True)
class Stack:
    """Layers one above the other, the first of which is the lowest.

    pattern: the layers that are repeated. number: how many the size that is named has, or 0 if no source says.
    both_ways: True if a token sees those after it too.
    """

    pattern: tuple[Layer, ...]
    number: int = 0
    both_ways: bool = False

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All of them; the pattern is cut off where they end."""
        return tuple(self.pattern[n % len(self.pattern)] for n in range(self.number))


@dataclass(frozen=True)
class Scaling:
    """How RoPE is stretched to longer texts: the name that transformers has for it, how far, and if it always is.

    shipped: False if whoever runs the model has to switch it on.
    """

    rule: str
    shipped: bool
    factor: float = 0


@dataclass(frozen=True)
class Architecture:
    """A model in one of its sizes. What no source states is 0, empty or None.

    stacks: one, or the encoder's and the decoder's. trained: tokens in the texts of the main training. later: in those
        of later training. claimed: in those that the makers say it reads, if need be with the scaling. at_output: the
        scheme that joins before the words are predicted.
    sources: where each fact was read: by the source, which begins with "config", "report", "code" or "tuned", the
        facts.
    """

    name: str
    year: int
    stacks: tuple[Stack, ...]
    sources: tuple[tuple[str, tuple[str, ...]], ...]
    scaling: Scaling | None = None
    trained: int = 0
    later: int = 0
    claimed: int = 0
    at_output: str = ""

    @property
    def pattern(self) -> tuple[Layer, ...]:
        """The repeated layers of all stacks."""
        return tuple(layer for stack in self.stacks for layer in stack.pattern)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of all stacks."""
        return tuple(layer for stack in self.stacks for layer in stack.layers)

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes of its layers, each once."""
        return tuple(dict.fromkeys(layer.scheme for layer in self.pattern if layer.scheme))

    @property
    def bases(self) -> tuple[float, ...]:
        """RoPE's bases, each once, from the smallest."""
        return tuple(sorted({layer.base for layer in self.pattern if layer.base}))

    @property
    def windows(self) -> tuple[int, ...]:
        """The widths of windows and pieces, each once, from the smallest."""
        return tuple(sorted({layer.window or layer.beside for layer in self.pattern} - {0}))

    @property
    def both_ways(self) -> bool:
        """True if there is a stack in which a token sees those after it."""
        return any(stack.both_ways for stack in self.stacks)

    @property
    def longest(self) -> int:
        """The longest texts that it is said to read, or else those of its training."""
        return self.claimed or max(self.later, self.trained)

    def read_in(self, fact: str) -> tuple[int, ...]:
        """The numbers of the sources of a fact, counted from 1."""
        return tuple(n for n, (_source, facts) in enumerate(self.sources, 1) if fact in facts)


def kinds(layers: tuple[Layer, ...]) -> dict[Layer, int]:
    """Return how many of these layers are of each kind; the kinds come in the order in which they are met."""
    return dict(Counter(layers))
