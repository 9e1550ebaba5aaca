"""What each view of the page "Positions" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "adding": Guide(
        N_("Move the tip of an arrow: token plus position is input, tip to tail. Then do the same in more numbers."),
        N_("Two numbers leave little room, and a position can carry a token onto another one. In many numbers there is "
           "room for both."),
        "vector positional input distance pca"),
    "table": Guide(
        N_("Each row belongs to a position. Beside the table are two of its columns, or one of its rows. The last "
           "curve falls if near positions are more alike than far ones."),
        N_("To a model that adds them, a position is these numbers, so no two rows should be the same."),
        "position positional dimension wavelength cosine training"),
    "pairs": Guide(
        N_("Sine and cosine of a pair are a hand on a circle. The same shift turns the first pair far, and the last "
           "one hardly."),
        N_("A step of fixed length turns each pair by a fixed angle, so a distance is the same operation wherever it "
           "begins."),
        "wavelength dimension position relative"),
    "end": Guide(
        N_("Move the length of the text past the end of the learned table and see which of the two tables still has "
           "rows."),
        N_("A table sets a limit to the length of a text. A formula sets none, but a model may still fail beyond what "
           "it was trained on."),
        "position positional absolute training"),
}  # fmt: skip
