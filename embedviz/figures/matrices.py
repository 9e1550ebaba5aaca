"""Small matrices with their numbers, side by side, with the signs of arithmetic between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure

_MAX_ROWS, _MAX_COLUMNS = 14, 20  # with more in all panels together, numbers do not fit their cells


@dataclass(frozen=True)
class Matrix:
    """A panel: values (rows, columns), the sign before it, and each row's name and token ID.

    across: what the columns are. decimals: of numbers.
    """

    values: np.ndarray
    title: str
    rows: Sequence[str]
    ids: Sequence[int | None]
    sign: str = ""
    columns: Sequence[str] = ()
    decimals: int = 4
    across: str = ""


def matrices(panels: Sequence[Matrix], links: Sequence[tuple[int, int, str]] = ()) -> Figure:
    """The panels in a row, on one scale, which begins at zero or, if there are negative numbers, lies around it.

    links: coloured lines from rows of the first panel to those of the second.
    """
    numbers = (
        max(len(panel.values) for panel in panels) <= _MAX_ROWS
        and sum(panel.values.shape[1] for panel in panels) <= _MAX_COLUMNS
    )
    limit = max((float(np.abs(panel.values).max(initial=0)) for panel in panels), default=0.0) or 1.0
    pale = theme.scale_of((panel.values for panel in panels), limit, paler=1.25)  # numbers are read on the cells
    parts = [_panel(panel, numbers) for panel in panels]
    if links:
        parts.insert(1, _links(panels, links))
    # Lines lead nowhere between panels that stand below each other, so a phone shows these side by side, too.
    return figure(parts, columns=(0, len(parts) if links else 1), coloraxis=pale, meta=LayoutMeta(bars="below"))


def _panel(panel: Matrix, numbers: bool) -> Panel:
    """A panel that is as wide as its columns need."""
    n_rows, n_columns = panel.values.shape
    hover = _("row {row}, column {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z}")
    form = f".{panel.decimals}f"
    texts = [[in_print(number, form) for number in row] for row in panel.values.tolist()]
    trace = theme.heatmap(
        panel.title, panel.values, hover, y=list(range(n_rows)), xgap=2, ygap=2 if n_rows <= _MAX_ROWS else 0,
        texttemplate="%{text}" if numbers else None, text=texts if numbers else None, textfont={"size": 15},
        meta=TraceMeta(ids=list(panel.ids)),
    )  # fmt: skip
    columns = panel.columns or [str(n) for n in range(n_columns)]
    x = _names(columns, 16, panel.across, range=[-0.5, n_columns - 0.5])
    y = _names(panel.rows, 12, range=[n_rows - 0.5, -0.5], tickfont={"size": 15})
    wide = 1 if panel.decimals else 0.6  # whole numbers are short
    width, rem = max(wide * n_columns, 2), 2.1 * (n_rows + 2.2)
    return Panel([trace], x, y, panel.title, sign=panel.sign, width=width, rem=rem)


def _links(panels: Sequence[Matrix], links: Sequence[tuple[int, int, str]]) -> Panel:
    """Lines between the first two panels, each from the middle of a row to that of another."""
    n_from, n_to = (len(panel.values) for panel in panels[:2])
    traces = [
        theme.curve(
            "",
            np.array([0, 1]),
            np.array([(row + 0.5) / n_from, (to + 0.5) / n_to]),
            line={"color": colour, "width": 2.5},
        )
        for row, to, colour in links
    ]
    bare = {"visible": False, "fixedrange": True}
    width = max(1, 0.12 * sum(panel.values.shape[1] for panel in panels))
    return Panel(traces, bare | {"range": [0, 1]}, bare | {"range": [1, 0]}, width=width, rem=2.4)


def _names(names: Sequence[str], most: int, title: str = "", **options: Any) -> dict:
    """An axis with a name for each row or column, or for every so many of them. title: what all of them are."""
    every = max(1, -(-len(names) // most))
    ticks = {"tickvals": list(range(0, len(names), every)), "ticktext": list(names)[::every], "ticks": ""}
    return theme.axis(title, grid=False, **ticks, **options)
