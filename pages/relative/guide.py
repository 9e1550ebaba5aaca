"""What each view of the page "Relative" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "scores": Guide(
        N_("Each panel holds the scores of one head on the same sentence, once for each way to tell positions."),
        N_("Scores decide which tokens a token looks at, so here one sees what each scheme changes."),
        "scheme query key score head absolute relative rope bias",
    ),
    "shift": Guide(
        N_(
            "The same sentence starts later in a longer text. A scheme that knows only distances gives the same scores."
        ),
        N_("A phrase means the same at the start and at the end of a text; relative schemes need not learn it twice."),
        "scheme query key score absolute relative rope",
    ),
    "distance": Guide(
        N_("Each curve shows what one scheme makes of the distance between two tokens."),
        N_("Some schemes weaken distant tokens from the beginning; others leave it to training which distances count."),
        "scheme score relative bias bucket rope query key",
    ),
    "t5": Guide(
        N_(
            "Each line is a head of a real T5: what it learned to add to a score at each distance. Left of 0 are the "
            "tokens before, right of 0 those after."
        ),
        N_(
            "These few numbers are all that tells its encoder about order. With them, heads can divide the work: "
            "to look back or ahead, near or far."
        ),
        "head score bias bucket relative weights training",
    ),
    "lengths": Guide(
        N_(
            "Each row is a scheme. Choose a length beyond that of training and see what it does with the new positions."
        ),
        N_(
            "Texts are often longer than those of the training, and a formula that still gives numbers does "
            "not make a model cope."
        ),
        "scheme position relative bucket absolute training",
    ),
    "schemes": Guide(
        N_("Each row is a scheme: what it changes, what it is chosen for, and what it costs a model of GPT-2's size."),
        N_("Models of today make different choices, and some leave positions out of some of their layers."),
        "scheme absolute relative rope bias bucket",
    ),
}
