"""The view "By distance" of the page "Relative": which schemes weaken far tokens, and which leave that to the model."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.one_head import N_HEADS
from embedviz.attention.t5_biases import REACH, LearnedBiases, learned_biases
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, paragraph
from embedviz.figures.schemes.by_distance import by_distance
from embedviz.models import hub_model
from embedviz.positions import alibi
from embedviz.positions.rope_pairs import MAX_REACH, near_and_far
from embedviz.programs.relative import pytorch_distance
from embedviz.programs.rows import of_biases
from embedviz.ui import BOUND, text_within, turns
from pages.relative import distance_words as words

USUAL = "google-t5/t5-small"
_MOST_CHARACTERS = 200
_HEIGHT = "clamp(18rem, calc(100vh - 23.5rem), 40rem)"


def distance(page: ui.Frame) -> None:
    """Show what ALiBi adds by rule, what a T5 has learned to add, and what RoPE makes of two vectors."""
    model, where = page.inputs.columns([3, 2])
    with where, ui.on_every_slide("reach"):
        reach = st.slider(_("Up to distance"), 8, MAX_REACH, REACH, key="reach", **BOUND)
    with model:
        name = text_within(
            st.text_input,
            _("T5 model on the Hugging Face Hub"),
            USUAL,
            _MOST_CHARACTERS,
            key="t5",
            help=_("Any model of the family T5, such as google-t5/t5-base or google/flan-t5-small."),
        )
    learned, why_not = _learned(name.strip(), reach)
    rope = near_and_far(reach)
    linear = alibi.by_distance(rope.steps, alibi.slopes(N_HEADS))
    ui.cards(words.about_distance(linear, learned, rope), key="about_distance")
    t5 = (learned.by_distance, learned.ways) if learned else None
    curves = {"ones": rope.ones, "mean": rope.mean, "spread": rope.spread, "single": rope.single}
    figure = by_distance(rope.steps, linear, t5, curves)
    with ui.slide(brief=True):
        ui.show(figure, key="distance", alt=words.alternative(linear, learned, rope), height=_HEIGHT)
    ui.aside(paragraph([why_not, words.as_computed()]))
    rows = partial(of_biases, learned) if learned else None
    ui.program(pytorch_distance(reach, learned), _("What schemes make of a distance"), rows=rows, height=380)


def _learned(name: str, reach: int) -> tuple[LearnedBiases | None, str]:
    """The biases of the model of this name; or None, and in a clause why they are not shown."""
    try:
        model = hub_model(name)
        with turns.pause():  # they may come from the Hub
            found = learned_biases(model, reach)
        why_not = "" if found else model.about_positions()
    except EmbedvizError as error:
        found, why_not = None, str(error)
    return found, words.left_out(name, why_not) if why_not else ""
