"""How a model is told where a token stands: one file a scheme, and the registry of them all."""

from embedviz.positions import alibi, deberta, learned, none, rope, shaw, sinusoidal, t5, transformer_xl
from embedviz.positions.registry import SCHEMES
from embedviz.positions.scheme import Scheme

__all__ = [
    "SCHEMES",
    "Scheme",
    "alibi",
    "deberta",
    "learned",
    "none",
    "rope",
    "shaw",
    "sinusoidal",
    "t5",
    "transformer_xl",
]
