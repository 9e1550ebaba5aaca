"""The parts of the page "Attention"."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.attending import Attended, Three, three
from embedviz.comparison import Comparison
from embedviz.errors import EmbedvizError
from embedviz.figures.heatmaps import row_heatmap
from embedviz.figures.weights import attention_maps
from embedviz.layer import MAX_HEADS
from embedviz.settings import configured
from embedviz.ui import presenting
from embedviz.ui.attention_words import about_attention, describe, describe_outputs
from embedviz.ui.cards import cards
from embedviz.ui.fields import whole_number
from embedviz.ui.literal import literal
from embedviz.ui.plot import show

MAX_TOKENS = min(64, configured().tokens)  # a picture of weights has as many cells as the square of it
_MAPS = "clamp(17rem, calc(100vh - 25rem), 38rem)"
_ROWS = "clamp(14rem, 40vh, 32rem)"


def heads(count: DeltaGenerator, which: DeltaGenerator, below: DeltaGenerator) -> tuple[int, int]:
    """How many heads, and the one to draw, from 0."""
    with count:
        n_heads = whole_number("Heads", 1, MAX_HEADS, 4, key="n_heads", below=below)
    with which:
        return n_heads, whole_number("Head", 1, n_heads, 1, key="head", below=below) - 1


def causal() -> bool:
    """Whether a token sees only itself and those before it."""
    return st.toggle(
        "Causal mask",
        key="causal",
        help="A token attends only to itself and to those before it, as in GPT-2.",
        bind="query-params",
    )


def attended(comparison: Comparison, n_heads: int, masked: bool) -> Three:
    """The layer three times; a message, and nothing after it, if the heads do not fit."""
    if not comparison.shared.size:
        st.stop()  # the empty sentence has its message already
    try:
        found = three(comparison, n_heads, masked)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()
    cards(about_attention(found, comparison, masked), key="about_attention")
    return found


def pictures(found: Attended, comparison: Comparison, head: int) -> None:
    """Weights of one head, distances of all outputs, and the outputs."""
    words = (comparison.ids, comparison.texts)
    weights = (found.a.seen_by(head), found.b.seen_by(head))
    maps = attention_maps(weights, found.distances, found.shared, *words, is_large=presenting.is_on())
    show(maps, key="maps", alt=describe(found, head), height=_MAPS)
    outputs = row_heatmap(found.a.outputs, found.b.outputs, *words, "output")
    show(outputs, key="outputs", alt=describe_outputs(found), height=_ROWS, is_aside=True)
