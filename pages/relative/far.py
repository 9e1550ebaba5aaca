"""The view "How far" of the page "Relative": small models that were trained on short texts answer after longer ones."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.figures.figure import Figure
from embedviz.figures.schemes.far import Reading
from embedviz.figures.schemes.far import far as far_figure
from embedviz.programs.schemes.far import pytorch_far
from embedviz.training.far import LENGTHS, TRAINED, Far, measured
from embedviz.ui import OPTIONS, Guide, Picture, Program, View, one_of
from pages.relative import far_words as words
from pages.relative.schemes import table_of_schemes

_HEIGHT = ui.picture_height(0.7)


class FarResult(NamedTuple):
    """How each line of models reads texts of each length, and which measure of it is drawn: "right" or "loss"."""

    lines: Mapping[str, Far]
    measure: str


def fields(frame: ui.Frame, _settings: None) -> str:
    """What is measured."""
    with frame.inputs, ui.on_every_slide("measured"):
        return one_of(_("Measured"), OPTIONS["measured"], key="measured")


def figure(result: FarResult) -> Figure:
    """A panel for each line of models."""
    readings = [
        Reading(
            words.heading(name, line), words.kind(name), getattr(line, result.measure), line.learned, words.keeps(line)
        )
        for name, line in ((name, result.lines[name]) for name in words.ORDER)
    ]
    return far_figure(readings, LENGTHS, TRAINED, **words.scale(result.lines, result.measure))


def pictures(result: FarResult) -> list[Picture]:
    """The panels; below them, for readers, how all was measured, and the table of schemes."""
    alt = words.far_alt(result.lines, result.measure)
    panels = partial(ui.show, figure(result), key="far", alt=alt, height=_HEIGHT)
    return [
        Picture(panels),
        Picture(partial(ui.reader_caption, words.as_measured()), None, only_for="reader"),
        Picture(table_of_schemes, None, only_for="reader"),
    ]


FAR = View(
    page="relative",
    name="far",
    guide=Guide(
        N_("Each panel is a scheme, each line a small model with a seed of its own. Right of the bar, texts are longer "
           "than in training."),
        N_("A formula that goes on past the trained length does not mean that a model copes. Only a test shows that, "
           "and a test of one task says little of another."),
        "scheme relative absolute rope bias training loss nats",
    ),
    fields=fields,
    compute=lambda measure: FarResult(measured(), measure),
    findings=lambda result: words.about_far(result.lines),
    pictures=pictures,
    program=lambda _result: Program(pytorch_far(), _("How far models read")),
    examples=({}, {"measured": "loss"}),
)  # fmt: skip
