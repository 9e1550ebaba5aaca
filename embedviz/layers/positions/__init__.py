"""Positions in a real model: which of its layers read them, as measured, and which two of a sentence are exchanged."""

from embedviz.layers.positions.exchange import exchanged
from embedviz.layers.positions.first_layer import FirstLayer, first_layer, has_first_layer
from embedviz.layers.positions.tested import APART, PositionTest, positions_of
from embedviz.layers.positions.turned_heads import TurnedHeads, has_turned_heads, turned_heads

__all__ = [
    "APART",
    "FirstLayer",
    "PositionTest",
    "TurnedHeads",
    "exchanged",
    "first_layer",
    "has_first_layer",
    "has_turned_heads",
    "positions_of",
    "turned_heads",
]
