"""What each view of the page "Relative" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "shift": Guide(
        N_("Move the phrase along the text: some schemes then give its words other scores, others keep them."),
        N_("A phrase often means the same early and late in a text. A scheme that keeps its scores need not learn it "
           "twice."),
        "scheme query key score absolute relative rope head"),
    "distance": Guide(
        N_("Does a score fade with distance? ALiBi's does by rule, T5's as it was learned, and RoPE's need not."),
        N_("It is often said that relative positions weaken far tokens. Some do so from the beginning; others leave "
           "it to training which distances count."),
        "scheme score relative bias bucket rope query key weights training"),
    "far": Guide(
        N_("Each panel is a scheme, each line a small model with a seed of its own. Right of the bar, texts are longer "
           "than in training."),
        N_("A formula that goes on past the trained length does not mean that a model copes. Only a test shows that, "
           "and a test of one task says little of another."),
        "scheme relative absolute rope bias training loss nats"),
}  # fmt: skip
