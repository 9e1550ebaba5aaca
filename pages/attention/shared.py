"""What the views of the page "Attention" share."""

from collections.abc import Sequence
from dataclasses import replace

from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.layer import MAX_HEADS
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.ui import presenting
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.fields import whole_number

MAX_TOKENS = min(64, configured().tokens)  # a picture of weights has as many cells as the square of it


def heads_field(below: DeltaGenerator) -> int:
    """How many heads the random layer has."""
    return whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=below)


def in_a_hall(cards: Sequence[Card]) -> list[Card]:
    """Findings as a slide has room for them: in projection a picture stands beside one sentence."""
    return [replace(card, text="") for card in cards] if presenting.is_on() else list(cards)
