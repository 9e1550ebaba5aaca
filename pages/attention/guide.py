"""What each view of the page "Attention" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "order": Guide(
        N_(
            "Can attention tell two orders apart? A framed cell is a token and its copy in the other sentence: blank "
            "if both come out the same."
        ),
        N_(
            "Attention gathers what stands around a token. Without positions and without a mask, the order of"
            " the others makes no difference."
        ),
        "attention query key value score weights head mask residual",
    ),
    "window": Guide(
        N_(
            "Each row is a token, and the filled cells are those that it sees: in one layer a few, through several "
            "layers more."
        ),
        N_(
            "A window keeps long texts affordable, since each token looks at a fixed number of others however long "
            "the text is."
        ),
        "attention weights mask sliding_window layer context",
    ),
    "sinks": Guide(
        N_("Compare the weights with and without a sink: what the sink takes is no longer shared among the tokens."),
        N_("The weights of a token must sum to 1, even if nothing fits. A sink gives it a place to put them."),
        "attention weights score head sink mask",
    ),
}
