"""The view "Layer by layer" of the page "Models": which layer has which positions, and how far it sees."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.figures.schemes.layer_strips import layer_strips
from embedviz.models.architectures import ARCHITECTURES, DRAWN
from embedviz.programs import architectures as export
from embedviz.ui import presenting
from embedviz.ui.fields import BOUND
from pages.models import layer_words

_HEIGHT = "clamp(21rem, calc(100vh - 23rem), 46rem)"
_CODE = 380
_FIELD, _HALL = 320, 700  # pixels
_FIRST = "Gemma 3"


def layers(page: ui.Frame) -> None:
    """Show a strip for each of twelve models, and what the layers of one of them have."""
    with page.inputs, ui.on_every_slide("model"):
        width = _HALL if presenting.is_on() else _FIELD
        chosen = st.selectbox(_("Model"), DRAWN, DRAWN.index(_FIRST), key="model", width=width, **BOUND)
    models = [ARCHITECTURES[name] for name in DRAWN]
    ui.cards([layer_words.about_model(ARCHITECTURES[chosen]), *layer_words.about_all(models)], key="layers")
    legend = {kind: translated(text) for kind, text in layer_words.LEGEND.items()}
    strips = [layer_words.strip(model) for model in models]
    figure = layer_strips(strips, legend, marked=chosen)
    with ui.slide(brief=True):
        ui.show(figure, key="strips", alt=layer_words.alternative(models), height=_HEIGHT, on_pick=_pick)
    ui.aside(layer_words.origin(ARCHITECTURES[chosen]))
    ui.program(export.pytorch_layers(), _("Layer by layer"), note=layer_words.program_note(), height=_CODE)


def _pick(_trace: int, _layer: int, row: int) -> None:
    """Choose the model whose strip was clicked. Rows are counted from the lowest."""
    if row < len(DRAWN):
        st.session_state["model"] = DRAWN[-1 - row]
