"""Sums with the numbers in place."""

import numpy as np

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.lookup import pytorch_sums
from embedviz.vectors.lookup import Sum, sum_of_ones, sum_of_three


def positions(_page: ui.Frame) -> None:
    """Sums with the numbers in place: tokens that are all ones, and one vector of three numbers."""
    ones, three = sum_of_ones(), sum_of_three()
    ui.cards(
        [
            ui.Card(
                _("Four identical token vectors"),
                _("Each is 1 in every dimension, and gets the vector of its position added."),
            ),
            ui.Card(_("Now all four differ"), _("The sums differ only because the positions differ.")),
        ],
        key="about_positions",
    )
    with ui.slide("ones"):
        ui.show(
            _panels(ones),
            key="ones",
            alt=_alt(ones),
            height="clamp(12rem, calc(100vh - 25.4rem), 26rem)",
        )
    with ui.slide("three"):
        ui.show(_panels(three), key="one", alt=_alt(three), height="7rem")
    ui.program(pytorch_sums(ones, three), _("Token plus position"))


def _panels(sum_: Sum) -> Figure:
    names = [str(n) for n in range(len(sum_.tokens))]
    linked = list(range(len(names)))
    return matrices(
        [
            Matrix(sum_.tokens, _("token embedding"), names, linked, decimals=1),
            Matrix(sum_.positions, _("positional embedding"), names, linked, "+", decimals=1),
            Matrix(sum_.inputs, _("input embedding"), names, linked, "=", decimals=1),
        ]
    )


def _alt(sum_: Sum) -> str:
    rows = "; ".join(
        f"{_numbers(token)} + {_numbers(place)} = {_numbers(total)}"
        for token, place, total in zip(sum_.tokens, sum_.positions, sum_.inputs, strict=True)
    )
    return _("Token plus positional embedding, row by row: {rows}.", rows=rows)


def _numbers(row: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.1f}' for number in row)}]"
