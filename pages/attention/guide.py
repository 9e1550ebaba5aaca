"""What each view of the page "Attention" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "order": Guide(
        N_(
            "Can attention tell two orders apart? A framed cell is a token and its copy in the other sentence: pale, "
            "at 0, if both come out the same."
        ),
        N_(
            "Attention gathers what stands around a token. Without positions and without a mask, the order of"
            " the others makes no difference."
        ),
        "attention query key value score weights head mask residual",
    ),
    "head": Guide(
        N_("Where does a trained head look? Switch the positions on. Under “All heads”, click one to see its weights."),
        N_(
            "A table of positions says where a token stands, but language needs to know what stands before it. Some "
            "heads work that out from the places."
        ),
        "attention weights head layer position sink",
    ),
}
