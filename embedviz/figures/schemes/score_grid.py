"""Score matrices of one sentence under every scheme, as small panels that share one scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import token_axis
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 8
_MOST_COLUMNS = 6


@dataclass(frozen=True)
class ScorePanel:
    """The panel of one scheme: scores of shape (T, T), all NaN if there are none, its title, and what it changes."""

    title: str
    changes: str
    scores: np.ndarray


@dataclass(frozen=True)
class _Grid:
    """Where panels stand. gap: the height between two rows. names: the width for the names of rows. Both are shares."""

    n_rows: int
    n_columns: int
    gap: float
    names: float

    def place(self, n: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The n-th place, from left to right and from bottom to top."""
        row, column = divmod(n, self.n_columns)
        step, high = (1 - self.names) / self.n_columns, (1 - self.gap * (self.n_rows - 1)) / self.n_rows
        left, top = self.names + column * step, 1 - row * (high + self.gap)
        return (left, left + step * 0.92), (max(top - high, 0.0), top)


def score_grid(
    panels: Sequence[ScorePanel], ids: Sequence[int], texts: Sequence[str], is_large: bool = False
) -> Figure:
    """A panel for each scheme, and the colour bar in the last place of the grid. Rows are queries, columns are keys.

    is_large: True for large type, with only titles over the panels and no names below them.

    The colours end at the second largest of the panels' largest scores, so that one panel of far larger
    scores (a steep ALiBi over a long sentence) does not make the rest pale.
    """
    names = [f"{n} {in_figure(text)}" for n, text in enumerate(texts)]
    limit = _limit(panels)
    if is_large:
        panels = [replace(panel, changes="") for panel in panels]
    n_places = len(panels) + 1  # one for the colour bar
    n_wide, n_narrow = max(2, ceil(n_places / _MOST_COLUMNS)), ceil(n_places / 2)  # rows
    wide, narrow = _Grid(n_wide, ceil(n_places / n_wide), 0.16, 0.07), _Grid(n_narrow, 2, 0.3 / n_narrow, 0.2)
    return theme.figure(
        [_trace(panel, n, names, ids) for n, panel in enumerate(panels)],
        **_layout(panels, names, ids, wide, below=not is_large),
        coloraxis=theme.diverging(limit, colorbar=_bar(limit, wide)),
        margin={"l": 8, "r": 8, "t": 24, "b": 8} if is_large else {"l": 8, "r": 8, "t": 44, "b": 58},
        meta={
            "narrow": {
                **_layout(panels, names, ids, narrow, below=not is_large),
                "coloraxis": theme.diverging(limit, colorbar=_bar(limit, narrow)),
                "margin": {"l": 8, "r": 4, "t": 44, "b": 58},
                "height": f"{12.4 * n_narrow:g}rem",
            }
        },
    )


def _limit(panels: Sequence[ScorePanel]) -> float:
    largest = sorted(float(np.abs(panel.scores).max()) for panel in panels if not np.isnan(panel.scores).any())
    return (largest[-2:] or [1.0])[0] or 1.0


def _trace(panel: ScorePanel, n: int, names: list[str], ids: Sequence[int]) -> dict:
    return {
        "type": "heatmap", "z": panel.scores, "x": names, "y": names, "xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}",
        "coloraxis": "coloraxis", "name": panel.title, "hoverongaps": False,
        "meta": {"ids": list(ids), "column_ids": list(ids)},
        "hovertemplate": _(
            "{title}<br>query {query}, key {key}<br>score <b>{value}</b>",
            title=panel.title, query="%{y}", key="%{x}", value="%{z:.4f}",
        ) + theme.NO_EXTRA,
    }  # fmt: skip


def _layout(panels: Sequence[ScorePanel], names: list[str], ids: Sequence[int], grid: _Grid, *, below: bool) -> dict:
    """The axes and headings of a grid.

    below: True if the names also stand below the columns, in the same order as beside the rows.
    """
    layout: dict = {"annotations": []}
    for n, panel in enumerate(panels):
        span, (bottom, top) = grid.place(n)
        lowest = n + grid.n_columns >= len(panels)
        labels = token_axis(names, ids, most=_MAX_LABELS) | {"tickfont": {"size": 12}}
        layout[f"xaxis{n + 1}"] = {
            "domain": list(span), "anchor": f"y{n + 1}", **labels, "showticklabels": below and lowest, "tickangle": -45,
        }  # fmt: skip
        layout[f"yaxis{n + 1}"] = {
            "domain": [bottom, top], "anchor": f"x{n + 1}", **labels, "autorange": "reversed",
            "showticklabels": n % grid.n_columns == 0,
        }  # fmt: skip
        text = f"<b>{panel.title}</b>" + (f"<br>{panel.changes}" if panel.changes else "")
        layout["annotations"].append(
            theme.heading(text, sum(span) / 2, top, xanchor="center", font={"size": 13, "color": theme.INK})
        )
        if np.isnan(panel.scores).any():
            middle = {"x": sum(span) / 2, "y": (top + bottom) / 2, "xref": "paper", "yref": "paper"}
            layout["annotations"].append({"text": _("the table ended"), "showarrow": False, **middle})
    return layout


def _bar(limit: float, grid: _Grid) -> dict:
    """The colour bar, in the last place, which no panel has."""
    (left, right), (bottom, top) = grid.place(grid.n_rows * grid.n_columns - 1)
    return {
        "orientation": "h", "thickness": 10, "outlinewidth": 0, "len": (right - left) * 0.8,
        "x": (left + right) / 2, "y": bottom + (top - bottom) * 0.28, "xanchor": "center",
        "title": {"text": _("score"), "side": "top"}, "tickvals": [-limit, 0, limit], "tickangle": 0,
        "ticktext": [f"≤ −{limit:.2g}", "0", f"≥ {limit:.2g}"],
    }  # fmt: skip
