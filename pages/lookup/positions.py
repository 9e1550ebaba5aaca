"""Four equal tokens, and the vectors of their positions added, with the numbers in place."""

import numpy as np

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.lookup import pytorch_sum
from embedviz.vectors.lookup import Sum, sum_of_ones
from pages.lookup.settings import HEIGHT


def positions(_page: ui.Frame) -> None:
    """Sums with the numbers in place, of tokens that are all ones."""
    ones = sum_of_ones()
    cards = [
        ui.Card(
            _("Four identical token vectors"),
            _("Each is 1 in every dimension, and gets the vector of its position added."),
        ),
        ui.Card(_("Now all four differ"), _("The sums differ only because the positions differ.")),
    ]
    ui.cards(cards, key="about_positions")
    named = [str(n) for n in range(len(ones.tokens))]
    parts = (
        (ones.tokens, _("token embedding"), ""),
        (ones.positions, _("positional embedding"), "+"),
        (ones.inputs, _("input embedding"), "="),
    )
    panels = [Matrix(values, title, named, list(range(len(named))), sign, decimals=1) for values, title, sign in parts]
    with ui.slide(brief=True):
        ui.show(matrices(panels), key="ones", alt=_alt(ones), height=HEIGHT)
    ui.program(pytorch_sum(ones), _("Token plus position"))


def _alt(sum_: Sum) -> str:
    rows = "; ".join(
        f"{_numbers(token)} + {_numbers(place)} = {_numbers(total)}"
        for token, place, total in zip(sum_.tokens, sum_.positions, sum_.inputs, strict=True)
    )
    return _("Token plus positional embedding, row by row: {rows}.", rows=rows)


def _numbers(row: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.1f}' for number in row)}]"
