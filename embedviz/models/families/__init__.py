"""The families of models: from a config.json to where the vectors come from that enter the model's first layer.

described = layout(config)                                  # the names, shapes and steps
name = described.find(names, described.token)               # a tensor's full name among those in a file
sums = described.token_part(rows, weights) + positions      # what the model adds up
first = described.after_sum(sums, weights)                  # what enters its first layer
"""

from embedviz.models.families.catalogue import FAMILIES, layout
from embedviz.models.families.layout import Layout

__all__ = ["FAMILIES", "Layout", "layout"]
