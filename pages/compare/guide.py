"""What each view of the page "Compare" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "pairs": Guide(
        N_("Each line leads from a token of A to its copy in B; below, the vectors of both stand one above the other."),
        N_(
            "A sentence is these vectors to a model. Without positions, two orders of the same tokens are the"
            " same set of vectors."
        ),
        "token id vector positional input distance mean",
    ),
    "map": Guide(
        N_("Each ring is a token vector. An arrow leads from it to the input vector that it becomes at its position."),
        N_("A position adds the same arrow to every token, so one vector can carry both a word and its place."),
        "token vector positional input pca variance mean",
    ),
    "distances": Guide(
        N_(
            "A framed cell compares a token of A with a copy of it in B. A distance of 0 means that both vectors "
            "are identical."
        ),
        N_("A layer that looks at one vector at a time does the same with identical vectors, whatever their places."),
        "token vector input distance mean",
    ),
    "numbers": Guide(
        N_("Each row is a vector and each stripe is one of its numbers. The third panel is the sum of the first two."),
        N_("This sum is what enters the first layer of a model with added positions, such as GPT-2."),
        "token vector dimension positional input mean",
    ),
}
