"""How similar rows of the positional table become in a training. drift.py says where the moving values are kept."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.drift import names_of
from embedviz.figures.figure import Figure, Panel, figure


def position_cosines(similarity: np.ndarray, steps: Sequence[int]) -> Figure:
    """The cosines of all rows of the table, (S, L, L), before training and after the last step."""
    names, shown = names_of(steps), [*dict.fromkeys((0, len(steps) - 1))]
    panels = [_panel(similarity, at, names[-1] if at else _("cosine before training")) for at in shown]
    panels[0].y["title"] = {"text": _("position"), "standoff": 4}
    colours = theme.diverging(1.0, colorbar=theme.colour_bar(**theme.from_zero(1.0, 2, beyond="")))
    return figure(panels, once=["y"], meta={"names": names, "headings": [*range(1, len(shown))]}, coloraxis=colours)


def _panel(values: np.ndarray, at: int, title: str) -> Panel:
    """The cosines at a snapshot. Every snapshot but the first one moves."""
    across, n_columns = _("position"), values.shape[2]
    hover = _(
        "position {row}, {axis} {column}<br><b>{value}</b>", row="%{y}", axis=across, column="%{x}", value="%{z:.3f}"
    )
    frames = {"frames": {"z": values.reshape(len(values), -1)}} if at else {}
    trace = theme.heatmap(_("cosine") if at else _("cosine before training"), values[at], hover, meta=frames)
    ticks = {"tickvals": list(range(0, n_columns, max(1, n_columns // 4))), "range": [-0.5, n_columns - 0.5]}
    x = theme.axis(across, grid=False, ticks="", **ticks)
    return Panel([trace], x, theme.axis(grid=False, ticks="", nticks=9, autorange="reversed"), title, rem=15)
