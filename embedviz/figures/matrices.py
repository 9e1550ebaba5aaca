"""Small matrices with their numbers, side by side, with the signs of arithmetic between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.theme import Figure

_MAX_ROWS, _MAX_COLUMNS = 14, 20  # with more in all panels together, numbers do not fit their cells
_NAMES = 0.075  # share of the width before each panel for the names of its rows and a sign


@dataclass(frozen=True)
class Matrix:
    """One panel: values of shape (rows, columns), a title, a sign before it, and the names of its rows.

    ids: the token ID of each row, which links it with the rest of the page. decimals: the decimals of its numbers.
    room: the share of the width for the names and the sign.
    """

    values: np.ndarray
    title: str
    rows: Sequence[str]
    ids: Sequence[int | None]
    sign: str = ""
    columns: Sequence[str] = ()
    decimals: int = 4
    room: float = _NAMES


def matrices(panels: Sequence[Matrix]) -> Figure:
    """The panels in one row, on one diverging scale centred on zero."""
    spans = _spans(panels)
    numbers = (
        max(len(panel.values) for panel in panels) <= _MAX_ROWS
        and sum(panel.values.shape[1] for panel in panels) <= _MAX_COLUMNS
    )
    largest = max((float(np.abs(panel.values).max(initial=0)) for panel in panels), default=0.0)
    limit = largest or 1.0
    layout: dict = {"annotations": [], "margin": {"l": 8, "r": 8, "t": 36, "b": 28}}
    for n, (panel, span) in enumerate(zip(panels, spans, strict=True)):
        number = "" if n == 0 else str(n + 1)
        layout[f"xaxis{number}"] = _columns(panel, span, number)
        layout[f"yaxis{number}"] = _rows(panel, number)
        layout["annotations"].append(theme.heading(panel.title, sum(span) / 2, xanchor="center"))
        if panel.sign:
            between = (spans[n - 1][1] + span[0]) / 2 - 0.018
            layout["annotations"].append(_sign(panel.sign, between))
    layout["meta"] = {"narrow": _stacked(panels)}
    axis = {"cmin": -1.25 * limit, "cmax": 1.25 * limit, "colorscale": theme.DIVERGING, "showscale": False}
    return theme.figure([_trace(panel, n, numbers) for n, panel in enumerate(panels)], coloraxis=axis, **layout)


def _stacked(panels: Sequence[Matrix]) -> dict:
    """The layout of the panels one below the other, where there is no room for them side by side."""
    heights = [len(panel.values) + 2.2 for panel in panels]  # measured in rows, with the title and the axis
    total, top = sum(heights), 1.0
    layout: dict = {"annotations": [], "height": f"{2.1 * total:.1f}rem"}
    for n, (panel, height) in enumerate(zip(panels, heights, strict=True)):
        number = "" if n == 0 else str(n + 1)
        bottom, high = top - (height - 1) / total, top - 1 / total
        layout[f"xaxis{number}"] = _columns(panel, (0.2, 1.0), number)
        layout[f"yaxis{number}"] = _rows(panel, number) | {"domain": [max(bottom, 0.0), high]}
        title = f"{panel.sign} {panel.title}".strip()
        layout["annotations"].append(theme.heading(title, 0.6, high, xanchor="center"))
        top -= height / total
    return layout


def _spans(panels: Sequence[Matrix]) -> list[tuple[float, float]]:
    """Where each panel begins and ends, as shares of the width. Each panel is as wide as its columns need."""
    widths = [max(panel.values.shape[1], 2) for panel in panels]
    column = (1 - sum(panel.room for panel in panels)) / sum(widths)
    spans, left = [], 0.0
    for panel, width in zip(panels, widths, strict=True):
        spans.append((left + panel.room, left + panel.room + width * column))
        left = spans[-1][1]
    return spans


def _trace(panel: Matrix, n: int, numbers: bool) -> dict:
    number = "" if n == 0 else str(n + 1)
    return {
        "type": "heatmap", "name": panel.title, "z": panel.values.astype(np.float32),
        "y": list(range(len(panel.values))),
        "xaxis": f"x{number}", "yaxis": f"y{number}", "coloraxis": "coloraxis", "xgap": 2,
        "ygap": 2 if len(panel.values) <= _MAX_ROWS else 0,
        "texttemplate": f"%{{z:.{panel.decimals}f}}" if numbers else None, "textfont": {"size": 15},
        "hovertemplate": _("row {row}, column {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z}")
        + theme.NO_EXTRA,
        "meta": {"ids": list(panel.ids)},
    }  # fmt: skip


def _columns(panel: Matrix, span: tuple[float, float], number: str) -> dict:
    n_columns = panel.values.shape[1]
    names = list(panel.columns) or [str(n) for n in range(n_columns)]
    every = max(1, -(-n_columns // 16))
    return {
        "domain": list(span), "anchor": f"y{number}", "tickvals": list(range(0, n_columns, every)),
        "ticktext": names[::every], "ticks": "", "showgrid": False, "zeroline": False, "fixedrange": True,
        "range": [-0.5, n_columns - 0.5],
    }  # fmt: skip


def _rows(panel: Matrix, number: str) -> dict:
    n_rows = len(panel.values)
    every = max(1, -(-n_rows // 12))
    return {
        "anchor": f"x{number}", "tickvals": list(range(0, n_rows, every)), "ticktext": list(panel.rows)[::every],
        "ticks": "", "showgrid": False, "zeroline": False, "fixedrange": True, "range": [n_rows - 0.5, -0.5],
        "tickfont": {"size": 15},
    }  # fmt: skip


def _sign(text: str, x: float) -> dict:
    return {
        "text": text, "x": x, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False,
        "xanchor": "center", "yanchor": "middle", "font": {"size": 26},
    }  # fmt: skip
