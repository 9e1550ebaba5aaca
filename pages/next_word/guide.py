"""What the page "Next word" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Compare the bars of the prompts, then take the positions away."),
        N_(
            "Models are trained to say the next word. After such questions it depends on the order of the words. A "
            "single layer can tell their order only from positions; two layers can also tell it from the causal mask."
        ),
        "token position positional attention head weights mask layer",
    )
}
