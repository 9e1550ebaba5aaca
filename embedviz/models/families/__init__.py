"""The families of models: from a config.json to where the vectors come from that enter the model's first layer.

described = layout(config)                     # the names, shapes and steps
name = described.find(names, described.token)  # a tensor's full name among those in a file
first_layer(described, tokens, positions, weights).first
"""

from embedviz.models.families.catalogue import FAMILIES, layout
from embedviz.models.families.family import Family
from embedviz.models.families.inputs import Inputs, after_sum, first_layer, token_part
from embedviz.models.families.layout import Layout, Norm, Projection

__all__ = [
    "FAMILIES",
    "Family",
    "Inputs",
    "Layout",
    "Norm",
    "Projection",
    "after_sum",
    "first_layer",
    "layout",
    "token_part",
]
