"""What each view of the page "Positions" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "table": Guide(
        N_("Each row belongs to a position. The line beside the table follows one row, or one column."),
        N_("To a model that adds them, a position is these numbers, so no two rows should be alike."),
        "position positional dimension wavelength",
    ),
    "pairs": Guide(
        N_(
            "The left curve shows after how many positions each dimension repeats itself; on the right, one "
            "pair of them turns."
        ),
        N_(
            "A step of fixed length turns each pair by a fixed angle, so a distance is the same operation "
            "wherever it begins."
        ),
        "wavelength dimension position relative",
    ),
    "similarity": Guide(
        N_("The matrix shows how alike two positions are; the curve shows the same by the distance between them."),
        N_("Where near positions have similar vectors, what a model learns about one place can help at the next."),
        "cosine position positional pca variance",
    ),
    "kinds": Guide(
        N_(
            "Three tables of the same size on one scale of colours: a formula, random or learned numbers, and"
            " one plain number."
        ),
        N_("What is added must not drown the token: compare the lengths of these rows with that of a token vector."),
        "positional position dimension absolute",
    ),
    "end": Guide(
        N_(
            "Move the length of the text past the end of the learned table and see which of the two "
            "tables still has rows."
        ),
        N_(
            "A table sets a limit to the length of a text. A formula sets none, but a model may still fail "
            "beyond what it was trained on."
        ),
        "position positional absolute training",
    ),
    "adding": Guide(
        N_(
            "Take the tip of an arrow and move it: token plus position is input, tip to tail. Then do the same in more "
            "numbers; PCA is the shadow of all of them."
        ),
        N_(
            "Two numbers leave little room, and a position can carry a token onto another one. In many numbers "
            "there is room for both."
        ),
        "vector positional input distance pca",
    ),
    "models": Guide(
        N_(
            "Pick up to three models that learned a vector for each position: are near positions alike, and does the "
            "curve come back in waves?"
        ),
        N_(
            "Nobody told these models which positions are neighbours. Order in such a table is something that training "
            "found useful."
        ),
        "position positional dimension cosine training",
    ),
}
