"""What the page "Attention" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDE = Guide(
    N_("Compare the framed cells: the outputs of equal tokens."),
    N_(
        "Attention gathers what stands around a token. Without positions and without a mask, the order of"
        " the others makes no difference."
    ),
    "attention query key value score weights head mask residual",
)
