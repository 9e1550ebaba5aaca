"""A strip for each model, with a cell for each of its layers: how it knows positions, how much of a text it sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_HIGH, _WIDE = 0.82, 0.86  # of a row and of a layer, so that cells do not touch
_PALE = 0.28
_HATCHED = {"shape": "/", "size": 4, "solidity": 0.55}  # in chunks
_STRIPED = {"shape": "-", "size": 4, "solidity": 0.4}  # a state, which is no part of the text
_LEFT = 0.3  # where the strips begin
_PARTED = 1.8  # rows between the groups: room for a line of words on both sides, in a hall too


@dataclass(frozen=True)
class Cell:
    """A layer.

    kind: one of theme.KIND_COLOURS. share: of the longest text, how much a token sees. hover: what pointing says.
    """

    at: int
    kind: str
    share: float
    hover: str
    in_chunks: bool = False
    sinks: bool = False


@dataclass(frozen=True)
class Strip:
    """A model: its name, its layers, and the words after them, which a narrow screen and a hall have no room for."""

    name: str
    cells: Sequence[Cell]
    caption: str


def layer_strips(strips: Sequence[Strip], words: Mapping[str, str], *, n_alike: int = 0) -> Figure:
    """Draw the strips, with a legend. A cell's solid part is what a token sees, true to scale.

    words: for each kind, "chunk" with {kind} in it, "sinks", and "part" for cells that are not all solid.
    n_alike: how many strips, which come first, have layers of one kind. A line parts them from the others, if there are
    any, and says how many are in each group.
    """
    is_parted = 0 < n_alike < len(strips)
    parted = _PARTED if is_parted else 0
    n_rows = len(strips) + parted
    rows = [n_rows - 1 - n - (parted if n >= n_alike else 0) for n in range(len(strips))]
    placed = [(y, cell) for y, strip in zip(rows, strips, strict=True) for cell in strip.cells]
    groups = [
        cells for kind in theme.KIND_COLOURS for chunks in (False, True) if (cells := _cells_of(placed, kind, chunks))
    ]
    traces = []
    if pale := [(y, cell) for cells in groups for y, cell in cells if cell.share < 1]:
        traces.append(_pale(pale, words["part"]))
    traces += [_bars(cells, words) for cells in groups]
    if dots := [(y, cell) for y, cell in placed if cell.sinks]:
        traces.append(_dots(dots, words["sinks"]))
    traces.append(_hover_points(placed))
    longest = max(cell.at for _y, cell in placed)
    names = [strip.name for strip in strips]
    shared = {"grid": False, "ticks": ""}
    x = theme.axis(range=[_LEFT, longest + 0.5], showticklabels=False, **shared)
    y = theme.axis(range=[-0.6, n_rows - 0.4], tickvals=rows, ticktext=names, tickfont={"size": 14}, **shared)
    notes, shapes = [_end(*each) for each in zip(strips, rows, strict=True)], []
    if is_parted:
        at, n_mixed = rows[n_alike] + (1 + parted) / 2, len(strips) - n_alike
        shapes = [theme.across(at, line={"width": 1, "color": theme.FAINT})]
        notes += [_count(_("{n}: one kind", n=n_alike), at, "bottom"), _count(_("{n}: mixed", n=n_mixed), at, "top")]
    return figure(
        [Panel(traces, x, y, notes=notes, shapes=shapes, rem=4 + 3 * n_rows)],
        barmode="overlay",
        hoverdistance=-1,
        margin={"t": 44},
        **theme.legend(y=1.01),
    )


def _cells_of(placed: Sequence[tuple[float, Cell]], kind: str, in_chunks: bool) -> list[tuple[float, Cell]]:
    return [(y, cell) for y, cell in placed if (cell.kind, cell.in_chunks) == (kind, in_chunks)]


def _cells(placed: Sequence[tuple[float, Cell]], shares: Sequence[float], marker: dict, **options: Any) -> dict:
    # The width is an array, as it is measured in layers: a number would be taken for pixels, and grow in projection.
    return {
        "type": "bar", "width": np.full(len(placed), _WIDE, np.float32), "marker": marker, "hoverinfo": "skip",
        "x": np.array([cell.at for _y, cell in placed], np.float32),
        "y": _HIGH * np.array(shares, np.float32),
        "base": np.array([y - _HIGH / 2 for y, _cell in placed], np.float32), **options,
    }  # fmt: skip


def _pale(placed: Sequence[tuple[float, Cell]], name: str) -> dict:
    """The whole cells of layers that do not see the whole text, behind what they do see. The legend ends with them."""
    colours = [theme.KIND_COLOURS[cell.kind] for _y, cell in placed]
    return _cells(placed, [1.0] * len(placed), {"color": colours}, name=name, opacity=_PALE, legendrank=1001)


def _bars(placed: Sequence[tuple[float, Cell]], words: Mapping[str, str]) -> dict:
    cell = placed[0][1]
    name = words["chunk"].format(kind=words[cell.kind]) if cell.in_chunks else words[cell.kind]
    pattern = _HATCHED if cell.in_chunks else _STRIPED if cell.kind == "state" else None
    marker = {"color": theme.KIND_COLOURS[cell.kind]} | ({"pattern": pattern} if pattern else {})
    return _cells(placed, [each.share for _y, each in placed], marker, name=name)


def _dots(placed: Sequence[tuple[float, Cell]], name: str) -> dict:
    return {
        "type": "scatter", "mode": "markers", "name": name, "hoverinfo": "skip",
        "marker": {"size": 4, "color": theme.INK, "line": {"width": 1, "color": theme.SURFACE}},
        "x": np.array([cell.at for _y, cell in placed], np.float32),
        "y": np.array([y + 0.3 for y, _cell in placed], np.float32),
    }  # fmt: skip


def _hover_points(placed: Sequence[tuple[float, Cell]]) -> dict:
    """What pointing at a cell says. No cell is too low to be hit, since these points lie in the middle of the rows."""
    return {
        "type": "scatter", "mode": "markers", "name": _("Layers"), "marker": {"opacity": 0}, "showlegend": False,
        "x": np.array([cell.at for _y, cell in placed], np.float32),
        "y": np.array([y for y, _cell in placed], np.float32),
        "text": [cell.hover for _y, cell in placed], "hovertemplate": "%{text}" + theme.NO_EXTRA,
    }  # fmt: skip


def _count(text: str, y: float, anchor: str) -> dict:
    """How many strips there are on one side of the line, where it begins: captions stand at its end."""
    place = {"xref": "x domain", "x": 0, "xanchor": "left", "yref": "y", "y": y, "yanchor": anchor}
    return {"text": text, "showarrow": False, "font": {"size": 14}, **place}


def _end(strip: Strip, y: float) -> dict:
    """What stands behind a strip."""
    text = {"text": strip.caption, "short": "", "showarrow": False, "font": {"size": 13}}
    place = {"xref": "x", "x": strip.cells[-1].at + 0.5, "xanchor": "left", "xshift": 5, "yref": "y", "y": y}
    return {"role": "end", "yanchor": "middle", **text, **place}
