"""How a model is told where a token stands: one file a scheme, and the registry of them all."""

from embedviz.positions import learned, none, sinusoidal
from embedviz.positions.registry import SCHEMES, Scheme

__all__ = ["SCHEMES", "Scheme", "learned", "none", "sinusoidal"]
