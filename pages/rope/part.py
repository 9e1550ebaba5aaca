"""The view "part": heads that turn only a part of their dimensions."""

import numpy as np

from embedviz import ui
from embedviz.attention.rope_parts import PARTS, PartScores, part_scores
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line
from embedviz.figures.schemes.dimension_strips import STILL, TURNED, DimensionStrip, dimension_strips
from embedviz.programs import rope as export
from embedviz.ui.fields import one_of
from pages.rope import part_words as words

_HEIGHT = "clamp(16rem, calc(100vh - 30rem), 38rem)"


def part(page: ui.Frame) -> None:
    """Show which dimensions five models turn, and the two parts of a score of the one that is chosen."""
    name = one_of(_("Turned dimensions"), PARTS, key="partial", usual="quarter", place=page.inputs)
    _body(name, part_scores(name))


def _body(name: str, scores: PartScores) -> None:
    ui.cards(words.about_part(PARTS[name], scores), key="about_part")
    strips = [DimensionStrip(each.model, each.is_turned, each is PARTS[name]) for each in PARTS.values()]
    with ui.slide():
        ui.show(
            dimension_strips(strips, _lines(scores)),
            key="part",
            alt=words.part_alt(PARTS[name], scores),
            height=_HEIGHT,
        )
    ui.aside(words.about_models())
    ui.program(export.pytorch_part(name), _("A part of the dimensions"), height=380)


def _lines(scores: PartScores) -> list[Line]:
    still = np.full(len(scores.back), scores.still, np.float32)
    return [
        Line(_("turned"), scores.turned, TURNED, 2),
        Line(_("rest"), still, STILL, 2),
        Line(_("score"), scores.total, theme.INK),
    ]
