"""The control that two views of the page "Attention" share, and how many tokens their pictures hold."""

from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.layer import MAX_HEADS
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.ui.fields import whole_number

MAX_TOKENS = min(64, configured().tokens)  # a picture of weights has as many cells as the square of it


def heads_field(below: DeltaGenerator) -> int:
    """How many heads the random layer has."""
    return whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=below)
