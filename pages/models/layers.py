"""The layers of models on the page "Models": which layer has which positions, and how far it sees."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.schemes.layer_strips import layer_strips
from embedviz.models.architectures import ARCHITECTURES, DRAWN
from embedviz.programs.architectures import pytorch_reach
from pages.models import layer_words

_HEIGHT = "clamp(21rem, calc(100vh - 20rem), 46rem)"
_WINDOWED = ARCHITECTURES["Mistral 7B v0.1"]  # all of its layers have one window


def layers() -> None:
    """Show a strip for each of twelve models, and how far windows reach together."""
    models = [ARCHITECTURES[name] for name in DRAWN]
    cards = layer_words.about_all(models)
    ui.findings(cards, key="layers")
    figure = layer_strips([layer_words.strip(model) for model in models], layer_words.legend())
    with ui.slide("layers", brief=True):
        ui.finding(*cards)
        ui.show(figure, key="strips", alt=layer_words.alternative(models), height=_HEIGHT)
    ui.aside(layer_words.about_windows(_WINDOWED))


def reach_program() -> None:
    """Offer the program that computes how far windows reach together."""
    n_layers, window = len(_WINDOWED.layers), _WINDOWED.layers[0].window
    ui.program(pytorch_reach(_WINDOWED.name, n_layers, window), _("How far windows reach"))
