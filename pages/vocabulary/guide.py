"""What each view of the page "Vocabulary" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "neighbours": Guide(
        N_("Each dot is a token. Choose one, and those whose vectors are nearest to it light up."),
        N_("In a trained model near often means used alike. In a table of random numbers it means nothing."),
        "vocabulary vector neighbour cosine distance pca variance layout",
    ),
    "position": Guide(
        N_("The line shows how the vector of a position moves the token that you chose."),
        N_(
            "Adding a position moves a vector. If the vector came closer to another token, the two would be hard to "
            "tell apart."
        ),
        "vocabulary vector positional input neighbour distance pca",
    ),
    "search": Guide(
        N_("Type part of a token, and all tokens that contain it light up, with capitals or without."),
        N_(
            "Forms of one word are different tokens to a model; whether they lie together shows what it has "
            "learned of them."
        ),
        "vocabulary token vector subwords pca variance layout",
    ),
}
