"""What each view of the page "Vocabulary" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "neighbours": Guide(
        N_("Each dot is a token. Type one or a part of one, and those whose vectors are nearest to it light up."),
        N_("In a trained model near often means used alike. In a table of random numbers it means nothing."),
        "vocabulary vector subwords neighbour cosine distance pca variance layout"),
    "position": Guide(
        N_("The arrow shows how the vector of a position moves the token that you chose."),
        N_("Adding a position moves a vector. If it came closer to another token's vector than to its own, a search "
           "for the nearest vector would take it for that token."),
        "vocabulary vector positional input neighbour distance pca"),
}  # fmt: skip
