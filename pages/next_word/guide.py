"""What the page "Next word" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Compare the bars of the prompts, then take the positions away."),
        N_(
            "Models learn to say the next word. After such questions it depends on the order, which one layer can tell "
            "only from positions, and two also from the causal mask."
        ),
        "token position positional attention head weights mask layer",
    )
}
