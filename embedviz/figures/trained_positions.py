"""How the positional table takes shape in a training run. drift.py says where the moving values are kept."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.drift import names_of
from embedviz.figures.figure import Figure, Panel, figure

_SHOWN = 99.5  # percentile of |value| at which the colours of the table end
_BEFORE = (N_("table before training"), N_("cosine before training"))
_NOW = (N_("table"), N_("cosine"))


def position_tables(tables: np.ndarray, similarity: np.ndarray, steps: Sequence[int]) -> Figure:
    """The table, (S, L, D), and the cosines of its rows, (S, L, L), before training and after the last step."""
    limit = float(np.percentile(np.abs(tables[-1]), _SHOWN)) or 1.0
    names = names_of(steps)
    shown = [
        (n, values, at) for n, values in enumerate((tables, similarity)) for at in dict.fromkeys((0, len(steps) - 1))
    ]
    panels = [_panel(n, values, at, names[-1] if at else translated(_BEFORE[n])) for n, values, at in shown]
    panels[0].y["title"] = {"text": _("position"), "standoff": 4}
    return figure(
        panels,
        once=["y"],
        margin={"b": 78},
        meta={"names": names, "headings": [k for k, (_n, _values, at) in enumerate(shown) if at]},
        coloraxis=_colours(limit),
        coloraxis2=_colours(1.0),
    )


def _colours(limit: float) -> dict:
    """The scale and its bar, which lies below the last panel with these colours."""
    bar = {
        "orientation": "h", "thickness": 8, "outlinewidth": 0, "len": 0.3, "xanchor": "right", "y": 0,
        "yref": "container", "yanchor": "bottom", "ypad": 4, **theme.from_zero(limit, 2, beyond=""),
    }  # fmt: skip
    return theme.diverging(limit, colorbar=bar)


def _panel(n: int, values: np.ndarray, at: int, title: str) -> Panel:
    """One panel with the table (0) or the cosines (1) at a snapshot. Every snapshot but the first one moves."""
    across, n_columns = (_("position") if n else _("dimension")), values.shape[2]
    hover = _(
        "position {row}, {axis} {column}<br><b>{value}</b>", row="%{y}", axis=across, column="%{x}", value="%{z:.3f}"
    )
    trace = theme.heatmap(
        translated((_NOW if at else _BEFORE)[n]), values[at], hover, f"coloraxis{2 if n else ''}",
        meta={"frames": {"z": values.reshape(len(values), -1)}} if at else {},
    )  # fmt: skip
    ticks = {"tickvals": list(range(0, n_columns, max(1, n_columns // 4))), "range": [-0.5, n_columns - 0.5]}
    x = theme.axis(across, grid=False, ticks="", **ticks)
    return Panel([trace], x, theme.axis(grid=False, ticks="", nticks=9, autorange="reversed"), title, rem=15)
