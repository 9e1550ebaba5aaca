"""The view "Details of real models": which dimensions make a pair, and which are turned at all."""

import numpy as np

from embedviz import ui
from embedviz.attention.rope_parts import PARTS
from embedviz.base.i18n import _
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.schemes.dimension_strips import dimension_strips
from embedviz.figures.schemes.pair_cells import Row, pair_cells
from embedviz.positions.rope_pairs import LAYOUT_DIMS, LayoutScores, layout_scores, other, pair_of, permutation
from embedviz.programs.rope_pairs import pytorch_layouts
from pages.rope import pair_words as words

_SCORES, _CELLS, _STRIPS = "clamp(14.5rem, calc(100vh - 33rem), 24rem)", "9rem", "14rem"


def details(_page: ui.Frame) -> None:
    """Show the scores when two programs agree on the pairs and when they differ, and what five models turn."""
    found = layout_scores("interleaved")  # as Meta's own weights of LLaMA are
    cards = words.about_layouts(found)
    ui.findings(cards, key="about_layouts")
    with ui.slide("scores", brief=True):
        ui.finding(*cards)
        ui.show(matrices(_panels(found)), key="order_scores", alt=words.scores_in_words(found), height=_SCORES)
    with ui.slide("pairs"):
        ui.finding(ui.Card(_("Above, neighbours make a pair; below, dimensions that are half a head apart."), ""))
        ui.show(pair_cells(*_rows(found)), key="pair_cells", alt=words.pairs_in_words(found), height=_CELLS)
    with ui.slide("part"):
        ui.finding(ui.Card(_("Some models turn only a part of each head, and leave the rest as it is."), ""))
        strips = dimension_strips({part.model: part.is_turned for part in PARTS})
        ui.show(strips, key="part", alt=words.parts_in_words(), height=_STRIPS)
    ui.aside(words.about_details(found))
    ui.program(pytorch_layouts(found.layout), _("Two orders of pairs"))


def _rows(layouts: LayoutScores) -> tuple[Row, Row]:
    """The layout of the weights, and below it where the permutation takes each dimension."""
    first, second = layouts.layout, other(layouts.layout)
    return (
        Row(words.layout_name(first), np.arange(LAYOUT_DIMS), pair_of(LAYOUT_DIMS, first)),
        Row(words.layout_name(second), permutation(LAYOUT_DIMS, first), pair_of(LAYOUT_DIMS, second)),
    )


def _panels(layouts: LayoutScores) -> list[Matrix]:
    n_tokens = len(layouts.own)
    named = {
        "rows": [f"q{n}" for n in range(n_tokens)],
        "columns": [f"k{n}" for n in range(n_tokens)],
        "ids": [None] * n_tokens,
        "decimals": 2,
    }
    own, renamed, mixed = words.titles(layouts)
    return [
        Matrix(layouts.own, own, **named),
        Matrix(layouts.renamed, renamed, sign="=", **named),
        Matrix(layouts.mixed, mixed, sign="≠", **named),
    ]
