"""Score matrices of one sentence under every scheme, as small panels that share one scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import token_axis
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 8
_NAMES = 0.07  # share of the width left of the first column, for the names of the rows
# Rows and columns of the grid, the share of the height between two rows, and where the colour bar stands.
_WIDE, _NARROW = (2, 5, 0.16, (0.91, 0.12, 0.15)), (5, 2, 0.06, (0.79, 0.04, 0.36))


@dataclass(frozen=True)
class ScorePanel:
    """The panel of one scheme: scores of shape (T, T), all NaN if there are none, its title, and what it changes."""

    title: str
    changes: str
    scores: np.ndarray


def score_grid(
    panels: Sequence[ScorePanel], ids: Sequence[int], texts: Sequence[str], is_large: bool = False
) -> Figure:
    """At most nine panels, with the colour bar in the place of a tenth. Rows are queries, columns are keys.

    is_large: True for large type, with only titles over the panels and no names below them.

    The colours end at the second largest of the panels' largest scores, so that one panel of far larger
    scores (a steep ALiBi over a long sentence) does not make the rest pale.
    """
    names = [f"{n} {in_figure(text)}" for n, text in enumerate(texts)]
    limit = _limit(panels)
    if is_large:
        panels = [replace(panel, changes="") for panel in panels]
    wide, narrow = (_layout(panels, names, ids, shape[:3], not is_large) for shape in (_WIDE, _NARROW))
    return theme.figure(
        [_trace(panel, n, names, ids) for n, panel in enumerate(panels)],
        **wide,
        coloraxis=theme.diverging(limit, colorbar=_bar(limit, *_WIDE[3])),
        margin={"l": 8, "r": 8, "t": 24, "b": 8} if is_large else {"l": 8, "r": 8, "t": 44, "b": 58},
        meta={
            "narrow": {
                **narrow,
                "coloraxis": theme.diverging(limit, colorbar=_bar(limit, *_NARROW[3])),
                "margin": {"l": 8, "r": 4, "t": 44, "b": 58},
                "height": "62rem",
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


def _layout(
    panels: Sequence[ScorePanel], names: list[str], ids: Sequence[int], shape: tuple[int, int, float], below: bool
) -> dict:
    """The axes and headings of a grid with this many rows and columns, and this share of the height between rows.

    below: True if the names also stand below the columns, in the same order as beside the rows.
    """
    n_rows, n_columns, gap = shape
    names_width = _NAMES if n_columns > 2 else 0.2
    step, high = (1 - names_width) / n_columns, (1 - gap * (n_rows - 1)) / n_rows
    layout: dict = {"annotations": []}
    for n, panel in enumerate(panels):
        row, column = divmod(n, n_columns)
        left, top = names_width + column * step, 1 - row * (high + gap)
        span, bottom = (left, left + step * 0.92), max(top - high, 0.0)
        lowest = n + n_columns >= len(panels)
        labels = token_axis(names, ids, most=_MAX_LABELS) | {"tickfont": {"size": 12}}
        layout[f"xaxis{n + 1}"] = {
            "domain": list(span), "anchor": f"y{n + 1}", **labels, "showticklabels": below and lowest, "tickangle": -45,
        }  # fmt: skip
        layout[f"yaxis{n + 1}"] = {
            "domain": [bottom, top], "anchor": f"x{n + 1}", **labels, "autorange": "reversed",
            "showticklabels": column == 0,
        }  # fmt: skip
        text = f"<b>{panel.title}</b>" + (f"<br>{panel.changes}" if panel.changes else "")
        layout["annotations"].append(
            theme.heading(text, sum(span) / 2, top, xanchor="center", font={"size": 13, "color": theme.INK})
        )
        if np.isnan(panel.scores).any():
            middle = {"x": sum(span) / 2, "y": (top + bottom) / 2, "xref": "paper", "yref": "paper"}
            layout["annotations"].append({"text": _("the table ended"), "showarrow": False, **middle})
    return layout


def _bar(limit: float, x: float, y: float, length: float) -> dict:
    """The colour bar, in the place of the tenth panel."""
    return {
        "orientation": "h", "thickness": 10, "outlinewidth": 0, "len": length, "x": x, "y": y, "xanchor": "center",
        "title": {"text": _("score"), "side": "top"}, "tickvals": [-limit, 0, limit], "tickangle": 0,
        "ticktext": [f"≤ −{limit:.2g}", "0", f"≥ {limit:.2g}"],
    }  # fmt: skip
