"""Positions in a real model: which of its layers read them, as measured, and which two of a sentence are exchanged."""

from embedviz.layers.positions.exchange import exchanged
from embedviz.layers.positions.tested import PositionTest, positions_of

__all__ = ["PositionTest", "exchanged", "positions_of"]
