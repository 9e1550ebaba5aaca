"""How alike a model finds many pairs of sentences, with positions and without: bars of counts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from embedviz.base.i18n import _, label_value
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure


class Counted(NamedTuple):
    """What one model makes of many pairs: counts of cosines from -1 to 1, int (N,) each, in bins of the same width."""

    title: str
    with_positions: np.ndarray
    without: np.ndarray


def likeness_figure(models: Sequence[Counted]) -> Figure:
    """Draw a row of bars for each model, on the part of the scale where any model has a pair."""
    n_bins = len(models[0].without)
    taken = np.flatnonzero(sum(each.with_positions + each.without for each in models))
    first, last = (int(taken[0]), int(taken[-1])) if len(taken) else (0, n_bins - 1)
    edges = np.linspace(-1, 1, n_bins + 1, dtype=np.float32)
    ends = [float(edges[first]), float(edges[last + 1])]
    middles = (edges[first : last + 1] + edges[first + 1 : last + 2]) / 2
    panels = [
        Panel(
            [
                _bars(_("Positions off"), middles, each.without[first : last + 1], theme.FAINT),
                _bars(_("Positions on"), middles, each.with_positions[first : last + 1], "var(--accent)"),
            ],
            theme.axis(_("cosine of the sentence vectors"), range=ends, nticks=6),
            theme.axis(_("Pairs of sentences"), rangemode="tozero", dtick=max(-(-_most(each) // 4), 1)),
            each.title,
            rem=16,
        )
        for each in models
    ]
    for panel in panels[1:]:  # both colours stand once in the legend
        for trace in panel.traces:
            trace["showlegend"] = False
    inside = theme.legend(orientation="v", x=0.01, y=0.99, yanchor="top", bgcolor=theme.SURFACE)
    return figure(panels, columns=(1, 1), once=("x", "title"), barmode="overlay", bargap=0.05, **inside)


def _most(counted: Counted) -> int:
    """The highest bar."""
    return int(max(counted.with_positions.max(), counted.without.max()))


def _bars(name: str, middles: np.ndarray, counts: np.ndarray, colour: str) -> dict:
    hover = label_value(name, "%{y}")
    return {
        "type": "bar", "name": name, "x": middles, "y": counts.astype(np.float32), "opacity": 0.75,
        "marker": {"color": colour}, "hovertemplate": f"{hover}<br>%{{x:.2f}}{theme.NO_EXTRA}",
    }  # fmt: skip
