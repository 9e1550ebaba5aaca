"""Which dimensions of a head are turned, as strips drawn to scale, and what becomes of a score over the distance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line, plane_axis
from embedviz.figures.figure import Figure, Panel, figure

TURNED, STILL = "var(--token-0)", "var(--faint)"


@dataclass(frozen=True)
class DimensionStrip:
    """A model's head. turned: which dimensions are, bool (D,). chosen: whether the curves are this model's."""

    name: str
    turned: np.ndarray
    chosen: bool


def dimension_strips(strips: Sequence[DimensionStrip], lines: Sequence[Line]) -> Figure:
    """Draw the strips on the left and the curves on the right, or one below the other where there is little room."""
    return figure([_strips(strips), _curves(lines)])


def _strips(strips: Sequence[DimensionStrip]) -> Panel:
    """One row a model: 1 for a turned dimension, 0 for one that is not, nothing beyond the head."""
    widest, names = max(len(strip.turned) for strip in strips), [strip.name for strip in strips]
    rows = np.full((len(strips), widest), np.nan, np.float32)
    for row, strip in zip(rows, strips, strict=True):
        row[: len(strip.turned)] = strip.turned
    said = np.where(np.isnan(rows), "", np.where(rows > 0, _("turned"), _("not turned")))
    scale = {"zmin": 0, "zmax": 1, "colorscale": [[0, STILL], [0.5, STILL], [0.5, TURNED], [1, TURNED]]}
    hover = _("{model}, dimension {n}: {what}", model="%{y}", n="%{x}", what="%{text}")
    trace = theme.heatmap(_("dimensions of a head"), rows, hover, scale, y=names, opacity=0.75, text=said.tolist())
    x = theme.axis(_("dimension"), grid=False, range=[-0.5, widest - 0.5])
    heads = [f"<b>{strip.name}</b>" if strip.chosen else strip.name for strip in strips]
    ticks = {"type": "category", "tickvals": names, "ticktext": heads, "ticks": ""}
    y = theme.axis(grid=False, autorange="reversed", **ticks)
    shapes = [*_gaps(len(strips)), *_frames(strips)]
    return Panel([trace], x, y, _("Which dimensions are turned"), is_left=True, width=0.94, rem=22, shapes=shapes)


def _curves(lines: Sequence[Line]) -> Panel:
    traces = [
        line.drawn(
            np.arange(len(line.values)),
            _("{name}<br>{n} tokens apart: <b>{value}</b>", name=line.name, n="%{x}", value="%{y:.3f}"),
        )
        for line in lines
    ]
    *parts, total = map(_coloured, lines)
    title = f"{' + '.join(parts)} = {total}"
    return Panel(traces, theme.axis(_("tokens apart")), plane_axis(_("score"), nticks=6), title, is_left=True, rem=22)


def _coloured(line: Line) -> str:
    return f'<span style="color:{line.colour}">{line.name}</span>'


def _gaps(n_strips: int) -> list[dict]:
    """Room between the strips; with a heatmap's own gaps, the browser would paint every cell separately."""
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y"}
    return [
        line | {"y0": n - 0.5, "y1": n - 0.5, "line": {"color": theme.SURFACE, "width": 12}}
        for n in range(n_strips + 1)
    ]


def _frames(strips: Sequence[DimensionStrip]) -> list[dict]:
    """A frame around the strip that was chosen."""
    frame = {"type": "rect", "line": {"color": theme.INK, "width": 2}, "fillcolor": "rgba(0,0,0,0)"}
    return [
        frame | {"xref": "x", "x0": -0.5, "x1": len(strip.turned) - 0.5, "yref": "y", "y0": n - 0.38, "y1": n + 0.38}
        for n, strip in enumerate(strips)
        if strip.chosen
    ]
