"""The control that two views of the page "Attention" share."""

from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.layer import MAX_HEADS
from embedviz.base.i18n import _
from embedviz.ui.fields import whole_number


def heads_field(below: DeltaGenerator) -> int:
    """How many heads the random layer has."""
    return whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=below)
