"""The view of the page "Models": the layers of published models, and a row for each."""

from functools import partial
from typing import NamedTuple

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.figures.figure import Figure
from embedviz.figures.schemes.layer_strips import layer_strips
from embedviz.models.architectures import ARCHITECTURES, DRAWN, Architecture, kinds
from embedviz.programs.schemes.architectures import pytorch_reach
from embedviz.ui import Guide, Picture, Program, View
from pages.models import layer_words, table_words
from pages.models.table import table

_STRIPS_HEIGHT = ui.picture_height(0)
_WINDOWED = ARCHITECTURES["Mistral 7B v0.1"]  # all of its layers have one window


class Models(NamedTuple):
    """All models, and those whose layers are drawn: first those with layers of one kind, then those that mix."""

    every: list[Architecture]
    drawn: list[Architecture]


def models(_fields: None) -> Models:
    """The models that this version knows."""
    drawn = [ARCHITECTURES[name] for name in DRAWN]
    return Models([*ARCHITECTURES.values()], sorted(drawn, key=_is_mixed))  # which keeps the years in order


def _is_mixed(model: Architecture) -> bool:
    return len(kinds(model.layers)) > 1


def strips(result: Models) -> Figure:
    """A strip for each of the models that are drawn."""
    n_mixed = sum(map(_is_mixed, result.drawn))
    drawn = [layer_words.strip(model) for model in result.drawn]
    return layer_strips(drawn, layer_words.legend(), n_alike=len(drawn) - n_mixed)


def pictures(result: Models) -> list[Picture]:
    """The layers of twelve models; for readers also how far windows reach, and the table of all."""
    alt = layer_words.alternative(result.drawn)
    layers = partial(ui.show, strips(result), key="strips", alt=alt, height=_STRIPS_HEIGHT)
    return [
        Picture(layers, "layers"),
        Picture(partial(ui.reader_caption, layer_words.about_windows(_WINDOWED)), None, only_for="reader"),
        Picture(partial(ui.cards, table_words.about(result.every), key="all_models"), None, only_for="reader"),
        Picture(table, None, only_for="reader"),  # only a reader has the time for so many rows
    ]


def program(_result: Models) -> Program:
    """How far windows reach together, in PyTorch."""
    n_layers, window = len(_WINDOWED.layers), _WINDOWED.layers[0].window
    return Program(pytorch_reach(_WINDOWED.name, n_layers, window), _("How far windows reach"))


MODELS = View(
    page="models",
    name="published",
    guide=Guide(
        N_("Each cell is a layer; its colour says how it knows positions. Its solid part is how much of the longest "
           "text a token sees there."),
        N_("Many models of today mix: most layers see only what is near, and a few see the whole text, some of them "
           "without any positions."),
        "layer scheme rope base scaling sliding_window sink mask context",
    ),
    compute=models,
    findings=lambda result: layer_words.about_all(result.drawn),
    pictures=pictures,
    program=program,
    examples=({}, {"scheme": "none", "sort": "name"}, {"named": "nothing of this name"}),
)  # fmt: skip
