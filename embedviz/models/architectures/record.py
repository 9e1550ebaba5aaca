"""What is known of the positions of a published model, in one record that is made of its layers."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from embedviz.models.families import layout

Sees = Literal["all", "near", "chunk", "state"]


@dataclass(frozen=True)
class Layer:
    """One layer. Tokens are counted; 0 stands for what its source does not state.

    scheme: a name of `embedviz.positions.SCHEMES`. sees: "all", the whole text; "near", a window of tokens around or
        before each token; "chunk", only the tokens of its own piece of the text; "state", linear attention or a state
        space, which keeps a state of fixed size instead of looking at tokens.
    window: the size of the window or of the piece. base: RoPE's base, theta. rotated: the share of each head's
        dimensions that RoPE turns. sinks: True if each head has a learned sink, which takes attention from all tokens.
    """

    scheme: str
    sees: Sees = "all"
    window: int = 0
    base: float = 0
    rotated: float = 1
    sinks: bool = False


@dataclass(frozen=True)
class Stack:
    """Layers one above the other, the first of which is the lowest.

    pattern: the layers that are repeated. n_layers: how many the size that is drawn has, or 0 if none is.
    both_ways: True if a token sees those after it too.
    """

    pattern: tuple[Layer, ...]
    n_layers: int = 0
    both_ways: bool = False

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All of them; the pattern is cut off where they end."""
        return tuple(self.pattern[n % len(self.pattern)] for n in range(self.n_layers))


@dataclass(frozen=True)
class Architecture:
    """A model, or a family whose sizes agree in this. What its sources do not state is 0 or empty.

    stacks: one, or the encoder's and the decoder's. scaling: how RoPE is stretched to longer texts, by the name that
        transformers has for it, and factor: how far. trained, extended: tokens in the texts of its training, and in
        those that it was made fit for later, as its sources tell the two apart.
    sources: papers, files of transformers ("models/...") and files of other repositories ("owner/name: file").
    config: the class of its configuration in transformers. size: what the drawn size changes in the class's defaults.
    held: the facts that the class itself states, which a test compares.
    """

    name: str
    year: int
    stacks: tuple[Stack, ...]
    sources: tuple[str, ...]
    scaling: str = ""
    factor: float = 0
    trained: int = 0
    extended: int = 0
    config: str = ""
    size: tuple[tuple[str, int], ...] = ()
    held: str = ""

    @property
    def pattern(self) -> tuple[Layer, ...]:
        """The repeated layers of all stacks."""
        return tuple(layer for stack in self.stacks for layer in stack.pattern)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of all stacks, in the size that is drawn."""
        return tuple(layer for stack in self.stacks for layer in stack.layers)

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes of its layers, each once. Linear layers have none of their own, and count only if all do."""
        looking = [layer for layer in self.pattern if layer.sees != "state"]
        return tuple(dict.fromkeys(layer.scheme for layer in looking or self.pattern))

    @property
    def bases(self) -> tuple[float, ...]:
        """RoPE's bases, each once, from the smallest."""
        return tuple(sorted({layer.base for layer in self.pattern if layer.base}))

    @property
    def windows(self) -> tuple[int, ...]:
        """The sizes of windows and pieces, each once, from the smallest."""
        return tuple(sorted({layer.window for layer in self.pattern if layer.window}))

    @property
    def both_ways(self) -> bool:
        """True if there is a stack in which a token sees those after it."""
        return any(stack.both_ways for stack in self.stacks)


def rope(base: float = 0, **more: object) -> Layer:
    """Return a layer with RoPE."""
    return Layer("rope", base=base, **more)


def rope_of(family: str, sees: Sees = "all", **more: object) -> Layer:
    """Return a layer with the RoPE that a family of models has. Where layers see less, its base may be another."""
    settings = layout({"model_type": family}).scheme_settings
    base = settings["theta"] if sees == "all" else settings.get("local_theta", settings["theta"])
    return Layer("rope", sees, base=base, rotated=settings["share"], **more)


def length(family: str) -> int:
    """Return how many positions the models of a family have, unless their config.json says otherwise."""
    return layout({"model_type": family}).context_length


def alike(layer: Layer, n_layers: int = 0, *, both_ways: bool = False) -> tuple[Stack, ...]:
    """Return one stack whose layers are all the same."""
    return (Stack((layer,), n_layers, both_ways),)


def mixed(*pattern: Layer, n_layers: int = 0, both_ways: bool = False) -> tuple[Stack, ...]:
    """Return one stack that repeats these layers."""
    return (Stack(pattern, n_layers, both_ways),)


def configuration(folder: str) -> str:
    """Return the path of a model's configuration in transformers 5.23, below its package."""
    return f"models/{folder}/configuration_{folder}.py"


def kinds(layers: tuple[Layer, ...]) -> dict[Layer, int]:
    """Return how many of these layers are of each kind; the kinds come in the order in which they are met."""
    return dict(Counter(layers))
