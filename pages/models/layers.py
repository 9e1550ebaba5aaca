"""The view "Layer by layer" of the page "Models": which layer has which positions, and how far it sees."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.schemes.layer_strips import layer_strips
from embedviz.models.architectures import ARCHITECTURES, DRAWN
from embedviz.programs import architectures as export
from pages.models import layer_words

_HEIGHT = "clamp(21rem, calc(100vh - 20rem), 46rem)"
_CODE = 380


def layers(_page: ui.Frame) -> None:
    """Show a strip for each of twelve models. A click on one opens its own view."""
    models = [ARCHITECTURES[name] for name in DRAWN]
    ui.cards(layer_words.about_all(models), key="layers")
    figure = layer_strips([layer_words.strip(model) for model in models], layer_words.legend())
    with ui.slide(brief=True):
        ui.show(figure, key="strips", alt=layer_words.alternative(models), height=_HEIGHT, on_pick=_pick)
    ui.program(export.pytorch_kept(export.known(models)), _("Layer by layer"), height=_CODE)


def _pick(_trace: int, _layer: int, row: int) -> None:
    """Open the view of the model whose strip was clicked. Rows are counted from the lowest."""
    if row < len(DRAWN):
        st.session_state.update(model=DRAWN[-1 - row], view="one")
