"""What the page "Vocabulary" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Each dot is a token. Type one, and lines lead to the ten whose vectors are nearest to it."),
        N_("In a trained model near often means used alike. In a table of random numbers it means nothing."),
        "vocabulary vector subwords neighbour cosine distance pca variance layout"),
}  # fmt: skip
