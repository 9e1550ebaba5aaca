"""How a model is told where a token stands: one file a scheme, and the registry of them all."""

from embedviz.positions.registry import ADDING, SCHEMES
from embedviz.positions.scheme import Scheme

__all__ = ["ADDING", "SCHEMES", "Scheme"]
