"""The families of models: from a config.json to where the vectors come from that enter the model's first layer.

described = layout(config)                     # the names, shapes and steps
name = find(names_in_file, described.token)    # a tensor's full name in a file
first_layer(described, tokens, positions, weights).first
"""

from embedviz.models.families.catalogue import FAMILIES, layout
from embedviz.models.families.family import Family
from embedviz.models.families.inputs import Inputs, first_layer, token_part
from embedviz.models.families.layout import Layout, Norm, Projection, find

__all__ = [
    "FAMILIES",
    "Family",
    "Inputs",
    "Layout",
    "Norm",
    "Projection",
    "find",
    "first_layer",
    "layout",
    "token_part",
]
