"""What each view of the page "Next word" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "who": Guide(
        N_("Both prompts have the same words. Compare the bars, then change the positions."),
        N_(
            "Models are trained to say the next word. Here it depends on nothing but the order, and a single layer "
            "can know the order only from positions."
        ),
        "token position positional attention head weights mask layer",
    ),
    "prompt": Guide(
        N_("Compare the bars of A with those of B, then take the positions away."),
        N_("No model has met such a change in training. The bars then show how much it relied on positions."),
        "token position positional mask layer",
    ),
}
