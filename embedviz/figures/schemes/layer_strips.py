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
_LEFT = 0.3  # where the strips begin; names end there
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
    of the dots under "sinks". marked: the name of the strip that stands out. is_large: for projection, where the names
    stand within the plot, since margins are made anew there, and numbers stand behind the strips.
    """
    placed = [(len(strips) - 1 - row, cell) for row, strip in enumerate(strips) for cell in strip.cells]
    traces = [
        _bars(cells, words) for kind in _COLOURS for chunks in (False, True) if (cells := _of(placed, kind, chunks))
    ]
    if dots := [(y, cell) for y, cell in placed if cell.sinks]:
        traces.append(_dots(dots, words["sinks"]))
    longest = max(cell.at for _y, cell in placed)
    names, size = _names(strips, marked), 15 if is_large else 13
    numbers = _ends(strips, [str(len(strip.cells)) for strip in strips])
    ends = numbers if is_large else _ends(strips, [strip.told for strip in strips])
    legend = {"xanchor": "left", "itemclick": False, "itemdoubleclick": False}
    hidden = {"visible": False, "fixedrange": True}
    return theme.figure(
        traces, barmode="overlay", showlegend=True,
        legend={**legend, **(_BESIDE if is_large else _ABOVE), "font": {"size": size}},
        xaxis={"range": [-0.58 * longest, 1.14 * longest] if is_large else [_LEFT, 1.24 * longest], **hidden},
        yaxis={"range": [-0.15, len(strips)], **hidden},
        margin={"l": 4 if is_large else 112, "r": 4, "t": 4 if is_large else 44, "b": 4},
        annotations=[*_sized(names, size + 1), *_sized(ends, size - 1)],
        meta={
            "narrow": {
                "height": "40rem", "annotations": [*_sized(names, 13), *_sized(numbers, 12)],
                "margin": {"l": 104, "r": 2, "t": 150, "b": 4}, "xaxis": {"range": [_LEFT, 1.12 * longest], **hidden},
                "legend": {**legend, **_ABOVE, "font": {"size": 13}},
            }
        },
    )  # fmt: skip


def _of(placed: Sequence[tuple[int, Cell]], kind: str, in_chunks: bool) -> list[tuple[int, Cell]]:
    return [(y, cell) for y, cell in placed if (cell.kind, cell.in_chunks) == (kind, in_chunks)]


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


def _names(strips: Sequence[Strip], marked: str) -> list[dict]:
    """The names before the strips. They are notes, since names of an axis are left out where they come close."""
    texts = [f"<b>{strip.name}</b>" if strip.name == marked else strip.name for strip in strips]
    return [_note(strips, row, text) | {"x": _LEFT, "xanchor": "right"} for row, text in enumerate(texts)]


def _ends(strips: Sequence[Strip], texts: Sequence[str]) -> list[dict]:
    """What stands behind each strip."""
    last = [strip.cells[-1].at for strip in strips]
    return [_note(strips, row, text) | {"x": last[row] + 0.9, "xanchor": "left"} for row, text in enumerate(texts)]


def _note(strips: Sequence[Strip], row: int, text: str) -> dict:
    return {"text": text, "y": len(strips) - 1 - row + _HIGH / 2, "yanchor": "middle", "showarrow": False}


def _sized(notes: Sequence[dict], size: int) -> list[dict]:
    return [note | {"font": {"size": size}} for note in notes]
