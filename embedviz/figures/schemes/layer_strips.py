"""A strip for each model, with a cell for each of its layers: how it knows positions, and how far it sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from embedviz.figures import theme
from embedviz.figures.theme import Figure

WHOLE = 2**17  # the tokens that the full height stands for
_HIGH, _WIDE = 0.82, 0.86  # of a row and of a layer, so that cells do not touch
_COLOURS = {
    "add": "var(--token-2)", "rotate": "var(--token-0)", "bias": "var(--token-1)", "none": "var(--ink)",
    "state": "var(--token-3)",
}  # fmt: skip


# Where the legend stands. In projection a finding stands above the picture, so that height is what it lacks.
_ABOVE = {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"}
_BESIDE = {"orientation": "v", "x": 1.01, "y": 1, "yanchor": "top"}


@dataclass(frozen=True)
class Cell:
    """A layer. kind: "add", "rotate", "bias", "none" or "state". window: in tokens, 0 for the whole text.

    in_chunks: True if the window is a piece of the text with fixed ends. told: what pointing at the cell says.
    """

    at: int
    kind: str
    window: int
    told: str
    in_chunks: bool = False
    sinks: bool = False


@dataclass(frozen=True)
class Strip:
    """A model: its name, its layers, and the words after them."""

    name: str
    cells: Sequence[Cell]
    told: str


def height(window: int) -> float:
    """Return the share of the full height: 1 for 0, which is the whole text, else log2(window) / log2(131,072)."""
    return 1.0 if window == 0 else min(1.0, log2(window) / log2(WHOLE))


def layer_strips(
    strips: Sequence[Strip], words: Mapping[str, str], *, marked: str = "", is_large: bool = False
) -> Figure:
    """Draw the strips from top to bottom, with a legend.

    words: what the legend calls each kind, what it adds for chunks under "chunk", with the field {kind}, and the name
    of the dots under "sinks". marked: the name of the strip that stands out.
    """
    placed = [(len(strips) - 1 - row, cell) for row, strip in enumerate(strips) for cell in strip.cells]
    traces = [
        _bars([(y, cell) for y, cell in placed if (cell.kind, cell.in_chunks) == (kind, chunks)], words)
        for kind in _COLOURS
        for chunks in (False, True)
        if any((cell.kind, cell.in_chunks) == (kind, chunks) for _y, cell in placed)
    ]
    if dots := [(y, cell) for y, cell in placed if cell.sinks]:
        traces.append(_dots(dots, words["sinks"]))
    longest = max(cell.at for strip in strips for cell in strip.cells)
    short = [str(len(strip.cells)) for strip in strips]
    size = 15 if is_large else 13
    return theme.figure(
        traces, barmode="overlay", showlegend=True,
        legend={**(_BESIDE if is_large else _ABOVE), "xanchor": "left", "itemclick": False, "itemdoubleclick": False,
                "font": {"size": size}},
        xaxis={"range": [0.3, longest * (1.14 if is_large else 1.24)], "visible": False, "fixedrange": True},
        yaxis={"range": [-0.15, len(strips)], "visible": False, "fixedrange": True},
        margin={"l": 128 if is_large else 112, "r": 4, "t": 4 if is_large else 44, "b": 4},
        annotations=[*_names(strips, marked, size + 1),
                     *_ends(strips, short if is_large else [strip.told for strip in strips], size - 1)],
        meta={
            "narrow": {
                "height": "40rem", "annotations": [*_names(strips, marked, 13), *_ends(strips, short, 12)],
                "margin": {"l": 104, "r": 2, "t": 150, "b": 4}, "xaxis": {"range": [0.3, longest * 1.12]},
            }
        },
    )  # fmt: skip


def _bars(placed: Sequence[tuple[int, Cell]], words: Mapping[str, str]) -> dict:
    cell = placed[0][1]
    name = words["chunk"].format(kind=words[cell.kind]) if cell.in_chunks else words[cell.kind]
    # The width is an array, as it is measured in layers: a number would be taken for pixels, and grow in projection.
    return {
        "type": "bar", "name": name, "width": np.full(len(placed), _WIDE, np.float32),
        "marker": {"color": _COLOURS[cell.kind]}, "opacity": 0.45 if cell.in_chunks else 1,
        "x": np.array([cell.at for _y, cell in placed], np.float32),
        "y": np.array([_HIGH * height(cell.window) for _y, cell in placed], np.float32),
        "base": np.array([y for y, _cell in placed], np.float32),
        "text": [cell.told for _y, cell in placed], "textposition": "none",
        "hovertemplate": "%{text}" + theme.NO_EXTRA,
    }  # fmt: skip


def _dots(placed: Sequence[tuple[int, Cell]], name: str) -> dict:
    return {
        "type": "scatter", "mode": "markers", "name": name, "hoverinfo": "skip",
        "marker": {"size": 4, "color": theme.INK, "line": {"width": 1, "color": theme.SURFACE}},
        "x": np.array([cell.at for _y, cell in placed], np.float32),
        "y": np.array([y + 0.1 for y, _cell in placed], np.float32),
    }  # fmt: skip


def _names(strips: Sequence[Strip], marked: str, size: int) -> list[dict]:
    """The names before the strips. They are notes, since names of an axis are left out where they come close."""
    return [
        {
            "text": f"<b>{strip.name}</b>" if strip.name == marked else strip.name, "xref": "paper", "x": 0,
            "y": len(strips) - 1 - row + _HIGH / 2, "xanchor": "right", "yanchor": "middle", "showarrow": False,
            "font": {"size": size},
        }
        for row, strip in enumerate(strips)
    ]  # fmt: skip


def _ends(strips: Sequence[Strip], texts: Sequence[str], size: int) -> list[dict]:
    """What stands behind each strip."""
    return [
        {
            "text": text, "x": strip.cells[-1].at + 0.9, "y": len(strips) - 1 - row + _HIGH / 2,
            "xanchor": "left", "yanchor": "middle", "showarrow": False, "font": {"size": size},
        }
        for row, (strip, text) in enumerate(zip(strips, texts, strict=True))
    ]  # fmt: skip
