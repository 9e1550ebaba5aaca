"""What each view of the page "Models" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "layers": Guide(
        N_(
            "Each cell is a layer; its colour says how it knows positions. Its solid part is how much of the longest "
            "text a token sees there. Click a row."
        ),
        N_(
            "Many models of today mix: most layers see only what is near, and a few see the whole text, some of them "
            "without any positions."
        ),
        "layer scheme rope sliding_window sink mask",
    ),
    "one": Guide(
        N_(
            "Each area is what tokens see of the longest text in one kind of layers. The curve is what the model keeps "
            "of a text."
        ),
        N_(
            "Larger bases, windows, states and longer training answer one question: how to read a long text without "
            "paying for each token in each layer."
        ),
        "rope base scaling sliding_window sink context",
    ),
    "table": Guide(
        N_("Each bar is a year, and its colours are the ways in which the models of that year know positions."),
        N_(
            "Most large models since 2022 have RoPE. They differ in the base, in how they stretch it, and in "
            "which layers see everything."
        ),
        "scheme rope base scaling sliding_window context",
    ),
}
