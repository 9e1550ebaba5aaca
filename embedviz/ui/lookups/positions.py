"""Sums with the numbers in place."""

import numpy as np

from embedviz.export_lookup import pytorch_sums
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import Matrix, matrices
from embedviz.lookup import Sum, sum_of_ones, sum_of_three
from embedviz.ui.cards import Card, cards
from embedviz.ui.plot import show
from embedviz.ui.program import program


def positions(vocab_size: int, output_dim: int, seed: int) -> None:
    """Sums with the numbers in place: tokens that are all ones, and one vector of three numbers."""
    ones, three = sum_of_ones(), sum_of_three()
    cards(
        [
            Card(
                "Tokens that are all ones", "Four tokens with one vector. Each gets the vector of its position added."
            ),
            Card("After that no two are alike", "What differs between the sums is what differs between positions."),
        ],
        key="about_positions",
    )
    show(
        _panels(ones),
        key="ones",
        alt=_alt(ones),
        height="clamp(12rem, calc(60vh - 15rem), 22rem)",
    )
    show(_panels(three), key="one", alt=_alt(three), height="7rem", is_aside=True)
    program(pytorch_sums(ones, three), "Token plus position")


def _panels(sum_: Sum) -> Figure:
    names = [str(n) for n in range(len(sum_.tokens))]
    linked = list(range(len(names)))
    return matrices(
        [
            Matrix(sum_.tokens, "token embedding", names, linked, decimals=1),
            Matrix(sum_.positions, "positional embedding", names, linked, "+", decimals=1),
            Matrix(sum_.inputs, "input embedding", names, linked, "=", decimals=1),
        ]
    )


def _alt(sum_: Sum) -> str:
    rows = "; ".join(
        f"{_numbers(token)} + {_numbers(place)} = {_numbers(total)}"
        for token, place, total in zip(sum_.tokens, sum_.positions, sum_.inputs, strict=True)
    )
    return f"Token plus positional embedding, row by row: {rows}."


def _numbers(row: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.1f}' for number in row)}]"
