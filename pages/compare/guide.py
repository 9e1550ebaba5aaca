"""What each view of the page "Compare" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide
from pages.compare.whole import WHOLE

GUIDES = {
    WHOLE.name: WHOLE.guide,
    "pairs": Guide(
        N_("Each line leads from a token of A to its copy in B; below are their vectors."),
        N_(
            "A sentence is these vectors to a model. Without positions, two orders of the same tokens are the"
            " same set of vectors."
        ),
        "token id vector positional input distance mean",
    ),
    "map": Guide(
        N_("Add the positions: both thick arrows are the same, whatever token stands there."),
        N_("A position adds the same arrow to every token. One vector then holds both a word and its place."),
        "token vector positional input pca variance mean",
    ),
    "orders": Guide(
        N_("Each point is the sentence in one order of its words. Add the positions and see how many there are."),
        N_(
            "A model without a mask can tell two orders apart only where their points are apart. A causal mask, as in "
            "the small GPT, lets order in even so."
        ),
        "token vector positional input pca variance distance mask",
    ),
}
