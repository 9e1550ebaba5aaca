"""What each view of the page "Training" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "words": Guide(
        N_("Watch the dots while the model trains: words that are used alike move closer to each other."),
        N_("Nobody tells the model what words mean. That some are alike follows from predicting the next word alone."),
        "training loss nats gradient vector pca variance"),
    "positions": Guide(
        N_("Each cell compares two positions, and is red where their vectors are alike. Watch which become so."),
        N_("A learned table of positions begins as random numbers too: what order means in it comes from the text."),
        "training positional cosine loss nats"),
}  # fmt: skip
