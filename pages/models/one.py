"""The view "One model" of the page "Models": its layers, its lengths, and what it keeps, beside another one's."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.schemes.layer_strips import layer_strips
from embedviz.figures.schemes.model_sheet import lengths, masks_and_kept
from embedviz.models.architectures import ARCHITECTURES, Architecture
from embedviz.programs import architectures as export
from embedviz.ui import presenting
from embedviz.ui.fields import BOUND
from pages.models import layer_words, one_words

FIRST = "Gemma 3 27B"
_HEIGHT, _LENGTHS = "clamp(17rem, calc(100vh - 26rem), 30rem)", "15rem"
_STRIPS = ("6.5rem", "9rem")  # of one strip and of two
_CODE = 380
_NONE = "–"


def one(page: ui.Frame) -> None:
    """Show a model, and another one beside it if the visitor takes one."""
    with page.inputs, ui.on_every_slide("model"):
        models = _chosen()
    of_layers, of_kept, of_circles = one_words.about(models)
    ui.findings([*of_layers, *of_kept, *of_circles], key="one")
    sheets = [one_words.sheet(model) for model in models]
    if any(sheet.longest for sheet in sheets):
        with ui.slide("kept", brief=True):
            ui.finding(*of_kept)
            ui.show(masks_and_kept(sheets), key="kept", alt=one_words.kept_in_words(models), height=_HEIGHT)
    if drawn := [model for model in models if model.layers]:
        with ui.slide("layers", brief=True):
            ui.finding(*of_layers)
            strips = layer_strips([layer_words.strip(model) for model in drawn], layer_words.legend())
            ui.show(strips, key="strips_of_one", alt=layer_words.alternative(drawn), height=_STRIPS[len(drawn) - 1])
    with ui.slide("lengths", brief=True):
        ui.finding(*of_circles)
        ui.show(lengths(sheets), key="lengths", alt=one_words.lengths_in_words(models), height=_LENGTHS)
    if presenting.is_on():
        return
    columns, rows = one_words.facts(models)
    ui.table(columns, rows, key="facts", label=_("Facts"))
    if known := export.known(models):
        ui.program(export.pytorch_kept(known), _("One model"), height=_CODE)


def _chosen() -> list[Architecture]:
    left, right = st.columns(2)
    names = list(ARCHITECTURES)
    name = left.selectbox(_("Model"), names, names.index(FIRST), key="model", **BOUND)
    other = right.selectbox(_("Compare with"), [_NONE, *names], key="with", **BOUND)
    return [ARCHITECTURES[each] for each in dict.fromkeys((name, other)) if each != _NONE]
