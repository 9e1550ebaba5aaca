"""Panels whose rows or columns are tokens, with as many token names, each in its colour, as there is room for."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from embedviz.figures import theme
from embedviz.figures.figure import Panel, TraceMeta
from embedviz.text.visible import in_figure, on_axis

MAX_LABELS = 19


SENTENCES = "ABC"  # what they are called


def sentence_names(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """The names of the tokens of sentences A, B and C, or of the first of them, as in "A0 ␣the"."""
    return [
        [f"{sentence}{n} {in_figure(text)}" for n, text in enumerate(words)]
        for sentence, words in zip(SENTENCES, texts, strict=False)
    ]


def position_id(n: int) -> str:
    """The ID of position n, which figures use beside the IDs of tokens to say what is pointed at."""
    return f"@{n}"


def token_axis(
    names: Sequence[str], ids: Sequence[int | None], colours: dict[int, str] | None = None, most: int = MAX_LABELS
) -> dict:
    """An axis of tokens with at most `most` names, coloured by ID; None is no token."""
    colours = colours or theme.token_colours(id_ for id_ in ids if id_ is not None)
    every = -(-len(names) // most) or 1
    named = [(names[n], id_) for n in range(0, len(names), every) if (id_ := ids[n]) is not None]
    coloured = [theme.coloured(on_axis(name), colours[id_]) for name, id_ in named]
    return {
        "type": "category", "tickmode": "array", "tickvals": [name for name, _id in named], "ticks": "",
        "ticktext": coloured, "showgrid": False, "zeroline": False, "fixedrange": True,
        "categoryorder": "array", "categoryarray": [*names],
    }  # fmt: skip


def token_matrix(
    values: np.ndarray,
    names: Sequence[Sequence[str]],
    ids: Sequence[Sequence[int]],
    quantity: str,
    *,
    title: str,
    hover: str = "",
    name: str = "",
    colours: dict[int, str] | None = None,
    numbers: str | None = None,
    written: Sequence[Sequence[str]] | None = None,
    most: int = MAX_LABELS,
    **panel: Any,
) -> Panel:
    """A panel with a cell for each pair of tokens; NaN stands for no cell.

    names, ids: those of the rows, and those of the columns. quantity: what the numbers are, if `hover` doesn't say so.
    name: of the trace, if not the title. numbers: how the number in a cell is written, if it is. written: what stands
    in the cells instead. panel: the rest of the Panel.
    """
    hover = hover or f"%{{y}}, %{{x}}<br>{quantity} <b>%{{z:.4~g}}</b>"
    linked = TraceMeta(ids=list(ids[0]), column_ids=list(ids[1]))
    cells = {"x": list(names[1]), "y": list(names[0]), "xgap": 1, "ygap": 1, "texttemplate": numbers}
    if written is not None:
        cells |= {"text": [list(row) for row in written], "texttemplate": "%{text}"}
    trace = theme.heatmap(name or title, values, hover, meta=linked, **cells)
    x = token_axis(names[1], ids[1], colours, most) | {"tickangle": -45}  # or upright: only the page knows the room
    y = token_axis(names[0], ids[0], colours, most) | {"autorange": "reversed"}
    return Panel([trace], x, y, title, **panel)


def cell_frames(shared: np.ndarray) -> list[dict]:
    """A frame around each cell whose two tokens share an ID, for up to 400 of them: more would hide the cells."""
    frame = {"type": "rect", "xref": "x", "yref": "y", "line": {"width": 2, "color": theme.INK}}
    return [
        frame | {"x0": j - 0.44, "x1": j + 0.44, "y0": i - 0.44, "y1": i + 0.44}
        for i, j in np.argwhere(shared)[:400].tolist()
    ]
