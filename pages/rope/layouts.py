"""The view "layouts": which dimensions make a pair, and what happens when two programs disagree about it."""

import numpy as np

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.schemes.pair_cells import Row, pair_cells
from embedviz.positions.rope_pairs import LAYOUT_DIMS, LayoutScores, layout_scores, other, pair_of, permutation
from embedviz.programs.rope_pairs import pytorch_layouts
from embedviz.ui.fields import one_of
from embedviz.ui.options import OPTIONS, label_of
from pages.rope import pair_words as words

_CELLS = "7.6rem"
_SCORES = "clamp(14.5rem, calc(100vh - 31rem), 30rem)"


def layouts(page: ui.Frame) -> None:
    """Show the pairs of both layouts, and the scores when they agree, are translated, and differ."""
    layout = one_of(_("The weights were trained with"), OPTIONS["pair_order"], key="pair_order", place=page.inputs)
    found = layout_scores(layout)
    ui.cards(words.about_layouts(found), key="about_orders")
    with ui.slide("pairs"):
        ui.show(pair_cells(*_rows(found)), key="pair_cells", alt=words.pairs_in_words(found), height=_CELLS)
    with ui.slide("scores"):
        ui.show(matrices(_panels(found)), key="order_scores", alt=words.scores_in_words(found), height=_SCORES)
    ui.aside(words.about_matrices(found))
    ui.program(pytorch_layouts(layout), _("Two orders of pairs"))


def _rows(layouts: LayoutScores) -> tuple[Row, Row]:
    """The layout of the weights, and below it where the permutation takes each dimension."""
    second = other(layouts.layout)
    return (
        Row(label_of("pair_order")(layouts.layout), np.arange(LAYOUT_DIMS), pair_of(LAYOUT_DIMS, layouts.layout)),
        Row(label_of("pair_order")(second), permutation(LAYOUT_DIMS, layouts.layout), pair_of(LAYOUT_DIMS, second)),
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
