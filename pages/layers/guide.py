"""What each view of the page "Layers" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "copies": Guide(
        N_(
            "Each line is a token and its copy in the other sentence. Switch the positions on, and the lines part. "
            "Click a layer to see its vectors below."
        ),
        N_(
            "In a model without a mask, order enters with the positions, and every layer builds on it. Without them, a "
            "model such as MiniLM reads both sentences as one."
        ),
        "layer cosine position distance mean",
    ),
    "meaning": Guide(
        N_(
            "Each dot in the first two rows is a sentence beside another order of its words. The farther to the right, "
            "the more alike the model finds the two."
        ),
        N_(
            "Searches by meaning compare such vectors. They can keep apart who did what to whom only as far as the "
            "vectors do."
        ),
        "cosine mean position mask layer token",
    ),
    "memory": Guide(
        N_(
            "The lower a line, the better a token’s position can be read from its vector: by a straight line, or by a "
            "small network. Switch the positions on."
        ),
        N_("What a straight line no longer reads need not be gone: a small network may still read it."),
        "layer position vector mask mean",
    ),
}
