"""The view "measured" of the page "Models": which layers of a model read positions, beside what is declared."""

from functools import partial
from typing import NamedTuple

import numpy as np

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.figures.figure import Figure
from embedviz.figures.model.position_test import Measured, position_test
from embedviz.layers.positions import PositionTest, positions_of
from embedviz.programs.schemes.tested import pytorch_positions
from embedviz.ui import Card, Guide, Picture, Program, View
from embedviz.ui.inputs import model_fields
from embedviz.ui.inputs.model_runs import LanguageModel
from pages.models import measured_words as words

_HEIGHT = ui.picture_height()


class TestedModel(NamedTuple):
    """A model and what was measured in it."""

    model: LanguageModel
    test: PositionTest


def tested(model: LanguageModel) -> TestedModel:
    """Test the layers of the model."""
    return TestedModel(model, positions_of(model.small if model.run else model.name))


def _name(model: LanguageModel) -> str:
    """What a sentence calls the model: a small GPT by the words of the field, in quotation marks."""
    return _("“{word}”", word=model.title) if model.run else model.title


def findings(result: TestedModel) -> list[Card]:
    """What reads positions, and what the makers declare."""
    return words.about(result.test, _name(result.model), is_causal=not result.model.is_encoder)


def figure(result: TestedModel) -> Figure:
    """The attention weights of each layer, and the vectors at the input and after each layer."""
    test = result.test
    kinds = ["rotate" if each == "rope" else "none" for each in test.schemes]
    columns = [str(n) for n in range(1, len(kinds) + 1)]
    apart, moved = (
        np.array([first, *rest], np.float32)
        for first, rest in ((test.input_change, test.outputs), (test.input_moved, test.outputs_moved))
    )
    own = "add" if test.is_added else "none"
    weights = (_("Attention weights of each layer: largest change"), columns, kinds, test.weights, test.weights_moved)
    vectors = Measured(
        _("Vectors after each layer: largest change, as a share"), [_("input"), *columns], [own, *kinds], apart, moved
    )
    return position_test([vectors, Measured(*weights, least=1.0)], words.declared())


def pictures(result: TestedModel) -> list[Picture]:
    """The bars."""
    alt = words.alternative(result.test)
    return [Picture(partial(ui.show, figure(result), key="tested", alt=alt, height=_HEIGHT))]


MEASURED = View(
    page="models",
    name="measured",
    guide=Guide(
        N_("The same tokens stand at other positions. A layer without bars computes the same bits: it reads no "
           "positions. The squares say what is declared."),
        N_("A model’s files say which layers have positions, and a mistake in them would not be noticed. Its own "
           "weights show what each layer does."),
        "layer scheme rope mask",
    ),
    settings=lambda frame: model_fields.reader_field(frame.settings(), frame.messages),
    compute=tested,
    waiting=model_fields.waiting,
    source=lambda model: None if model.run else model.name,
    findings=findings,
    pictures=pictures,
    program=lambda result: Program(pytorch_positions(result.test, result.model.run)),
    examples=({}, {"reader": "small-gpt-rope"}, {"reader": "small-gpt-none-2"}),
)  # fmt: skip
