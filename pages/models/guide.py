"""What the page "Models" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

LOOK = N_(
    "Each cell is a layer; its colour says how it knows positions. Its solid part is how much of the longest text a "
    "token sees there."
)
WHY = N_(
    "Many models of today mix: most layers see only what is near, and a few see the whole text, some of them without "
    "any positions."
)
GUIDES = {"": Guide(LOOK, WHY, "layer scheme rope base scaling sliding_window sink mask context")}
