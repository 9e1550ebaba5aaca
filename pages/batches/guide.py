"""What each view of the page "Batches" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "windows": Guide(
        N_("Each numbered stretch of the text is a window. Its row of targets is its row of inputs, one token later."),
        N_("A model learns from many windows at once, and from each of them at every position: what comes next?"),
        "batch window stride target token id vector positional dimension"),
    "padding": Guide(
        N_("Compare the positions above the tokens: one panel counts the padding, the other does not."),
        N_("A model with added positions would otherwise see a sentence begin at position 4, say, and not at 0."),
        "batch padding position absolute mask"),
}  # fmt: skip
