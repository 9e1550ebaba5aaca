"""What the page "Tokenizers" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Each row cuts the same text with another tokenizer. Point at a token to find its letters in the others."),
        N_("Models read subwords, since no list holds every word: frequent words stay whole, and rare ones are spelled "
           "in parts."),
        "token id subwords vocabulary"),
}  # fmt: skip
