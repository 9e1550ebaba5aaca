"""The view "T5's own" of the page "Relative": the biases that a T5 model has learned, against distance."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.attention.t5_biases import REACH, LearnedBiases, learned_biases
from embedviz.base.i18n import _
from embedviz.figures.schemes.bias_chart import bias_chart
from embedviz.models import hub_model
from embedviz.programs import relative as export
from embedviz.programs.rows import of_biases
from embedviz.ui import turns
from embedviz.ui.alt_text import extent
from embedviz.ui.fields import literal, text_within
from embedviz.ui.messages import said_in_place
from pages.relative import t5_words

USUAL = "google-t5/t5-small"
_MAX_CHARACTERS = 200
_HEIGHT = "clamp(18rem, calc(100vh - 27rem), 40rem)"


def _model_field(page: ui.Frame) -> str:
    """Whose biases are shown."""
    with page.inputs:
        name = text_within(
            st.text_input,
            _("T5 model on the Hugging Face Hub"),
            USUAL,
            _MAX_CHARACTERS,
            key="t5",
            help=_("Any model of the family T5, such as google-t5/t5-base or google/flan-t5-small."),
        )
    return name.strip()


def learned_by_t5(page: ui.Frame) -> None:
    """Show what each head of the model adds to a score at each distance, or why that cannot be shown."""
    page.lead()
    name = _model_field(page)
    found = _biases(name)
    if found is None:
        return
    ui.cards(t5_words.about(found), key="about_t5")
    alt = _(
        "What each of {n_heads} heads of {model} adds to a score at distances −{reach} to {reach}: {extent}. {said}",
        n_heads=len(found.by_distance),
        model=found.model.title,
        reach=REACH,
        extent=extent(found.by_distance),
        said=t5_words.head_by_head(found),
    )
    with ui.slide():
        ui.show(bias_chart(found.distances, found.by_distance), key="t5_biases", alt=alt, height=_HEIGHT)
    ui.aside(t5_words.as_measured())
    ui.program(
        export.pytorch_t5_biases(found.model, found.table.shape[0], found.max_distance),
        _("The biases of a T5 model"),
        rows=partial(of_biases, found),
    )


def _biases(name: str) -> LearnedBiases | None:
    with said_in_place(name, key="try_again"):
        model = hub_model(name)
        with turns.pause():  # they may come from the Hub
            found = learned_biases(model)
        if not found:
            about = model.about_positions()
            said = _("{about} Type the name of a T5 model, such as {usual}.", about=about, usual=USUAL)
            st.info(literal(said), icon=":material/info:")
        return found
    return None
