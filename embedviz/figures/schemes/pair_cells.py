"""The dimensions of a head as cells in two layouts of pairs, with lines from each cell to its place in the other."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_HALF_ARC = np.linspace(0, np.pi, 25)
_CELL = 0.42  # half a cell's width
_TALL = 0.2  # half a cell's height, in units of the distance between the rows
_ARC = 0.34  # how far the widest arc reaches beyond its row


@dataclass(frozen=True)
class Row:
    """One layout of pairs. dimensions: which one stands in each cell. pairs: which pair it is in. Integers (D,)."""

    name: str
    dimensions: np.ndarray
    pairs: np.ndarray


def pair_cells(above: Row, below: Row) -> Figure:
    """Two rows of cells. Arcs join the two dimensions of a pair, which have one colour too."""
    colours = theme.token_colours(range(int(above.pairs.max()) + 1))
    n_dims = len(above.pairs)
    traces = [
        *_arcs(above, colours, 1.0, 1),
        *_arcs(below, colours, 0.0, -1),
        *_links(above, below, colours),
        _numbers(above, 1.0),
        _numbers(below, 0.0),
    ]
    x = theme.axis(grid=False, ticks="", range=[-0.6, n_dims - 0.4], showticklabels=False)
    names = {"tickvals": [1, 0], "ticktext": [above.name, below.name], "tickfont": {"size": 14}}
    y = theme.axis(grid=False, ticks="", range=[-0.62, 1.62], **names)
    shapes = [*_cells(above, colours, 1.0), *_cells(below, colours, 0.0)]
    return figure([Panel(traces, x, y, shapes=shapes)])


def _cells(row: Row, colours: dict[int, str], y: float) -> list[dict]:
    return [
        {
            "type": "rect", "x0": n - _CELL, "x1": n + _CELL, "y0": y - _TALL, "y1": y + _TALL, "layer": "below",
            "fillcolor": colours[pair], "opacity": 0.35, "line": {"width": 0},
        }
        for n, pair in enumerate(row.pairs.tolist())
    ]  # fmt: skip


def _arcs(row: Row, colours: dict[int, str], y: float, side: int) -> list[dict]:
    """An arc for each pair, above the row if `side` is 1, below it if it is -1. Wider arcs are higher."""
    widest = len(row.pairs) / 2
    arcs = []
    for pair, colour in colours.items():
        left, right = np.flatnonzero(row.pairs == pair)
        high = _ARC * (0.45 + 0.55 * (right - left) / widest)
        x = (left + right) / 2 + (right - left) / 2 * np.cos(_HALF_ARC)
        arcs.append(_line(_pair(pair), x, y + side * (_TALL + high * np.sin(_HALF_ARC)), colour, 2.5))
    return arcs


def _links(above: Row, below: Row, colours: dict[int, str]) -> list[dict]:
    """From each dimension in the upper row to itself in the lower one."""
    places = {dimension: n for n, dimension in enumerate(below.dimensions.tolist())}
    both = zip(above.dimensions.tolist(), above.pairs.tolist(), strict=True)
    return [
        _line(_pair(pair), np.array([n, places[dimension]]), np.array([1 - _TALL, _TALL]), colours[pair], 1.5)
        for n, (dimension, pair) in enumerate(both)
    ]


def _line(name: str, x: np.ndarray, y: np.ndarray, colour: str, width: float) -> dict:
    return theme.curve(name, x, y, line={"color": colour, "width": width})


def _numbers(row: Row, y: float) -> dict:
    """The number of each dimension in its cell."""
    both = zip(row.dimensions.tolist(), row.pairs.tolist(), strict=True)
    return theme.curve(
        row.name, np.arange(len(row.pairs)), np.full(len(row.pairs), y), "%{hovertext}", mode="text",
        text=[f"<b>{dimension}</b>" for dimension in row.dimensions.tolist()], textfont={"size": 15},
        hovertext=[_("dimension {n}, pair {pair}", n=dimension, pair=pair) for dimension, pair in both],
    )  # fmt: skip


def _pair(number: int) -> str:
    return _("pair {n}", n=number)
