"""How alike two sentences are to MiniLM as a whole, with all, some or none of its positional vectors."""

from collections.abc import Sequence

from embedviz.layers.copies import sentences
from embedviz.layers.forward import forward
from embedviz.layers.probe import SOURCE
from embedviz.layers.runnable import runnable
from embedviz.vectors.spec import Spec


def is_here() -> bool:
    """Whether MiniLM can be run on this machine."""
    return SOURCE in runnable()


def likeness(a: str, b: str, shares: Sequence[float]) -> list[float]:
    """The cosine of the two sentence vectors for each of these shares of the positional vectors, 0 for none of them.

    Raises EmbedvizError as `forward` does, such as for a text that is too long for the model.
    """
    specs = [Spec(source=SOURCE, position_scale=share) for share in shares]
    return [sentences(forward(a, spec), forward(b, spec)) for spec in specs]
