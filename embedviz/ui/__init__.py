"""The only part of embedviz that imports Streamlit: the shell, the controls and the components."""

from embedviz.ui.amount import amount
from embedviz.ui.cards import Card, cards
from embedviz.ui.chips import chips
from embedviz.ui.literal import literal
from embedviz.ui.part import part
from embedviz.ui.plot import show
from embedviz.ui.program import program
from embedviz.ui.share import share
from embedviz.ui.shell import frame, style, title
from embedviz.ui.warm import warm_up

__all__ = [
    "Card",
    "amount",
    "cards",
    "chips",
    "frame",
    "literal",
    "part",
    "program",
    "share",
    "show",
    "style",
    "title",
    "warm_up",
]
