"""What the page "Next word" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Compare the bars of A with those of B, then take the positions away."),
        N_(
            "Models are trained to say the next word. In such a question it depends on nothing but the order. A single "
            "layer can know it only from positions: the mask tells it which words came before, not in what order."
        ),
        "token position positional attention head weights mask layer",
    )
}
