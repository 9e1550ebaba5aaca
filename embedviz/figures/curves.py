"""Lines against a distance or a shift."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import power_of_ten
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure, line_end

ZERO = 1e-9  # where a logarithmic axis shows 0
# The marks that tell lines apart beside their colours, by Plotly's names. Each mark also stands before the line's name.
_SYMBOLS = {
    "circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲", "cross": "✚", "x": "✖", "star": "★",
    "triangle-down": "▼", "hexagon": "⬢",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line of a chart. values: float32 of shape (K,), NaN where there are none. colour: a colour role."""

    name: str
    values: np.ndarray
    colour: str
    width: float = 2.5
    dash: str = "solid"
    shape: str = "linear"  # "hvh": steps

    def drawn(self, x: np.ndarray, hover: str = "", **more: object) -> dict:
        """The trace over x, (K,). By default pointing at it says the distance between key and query."""
        said = hover or _(
            "{name}<br>key − query {distance}: <b>{value}</b>", name=self.name, distance="%{x}", value="%{y:.4g}"
        )
        line = {"color": self.colour, "width": self.width, "dash": self.dash, "shape": self.shape}
        return theme.curve(self.name, x, self.values, said, line=line, **more)


@dataclass(frozen=True)
class Chart:
    """One panel of lines over the same distances."""

    title: str
    lines: Sequence[Line]
    axis: str


def shift_chart(shifts: Sequence[int], lines: Sequence[Line]) -> Figure:
    """The largest change of a score against the shift, both on logarithmic axes with a place of its own for 0."""
    drawn = [np.where(line.values > 0, line.values, np.where(np.isnan(line.values), np.nan, ZERO)) for line in lines]
    high = max((float(np.nanmax(values)) for values in drawn if not np.isnan(values).all()), default=1.0)
    low_power, high_power = np.log10(ZERO) - 0.4, np.log10(max(high, 1.0)) + 0.5
    powers = range(-7, int(np.floor(high_power)) + 1, 2)
    hover = _("{name}<br>{n} later: <b>{value}</b>", name="%{fullData.name}", n="%{x}", value="%{customdata:.3g}")
    traces = [
        line.drawn(shifts, hover, mode="lines+markers", customdata=line.values.astype(np.float32), cliponaxis=False)
        | {"y": values.astype(np.float32), "marker": {"size": 9, "symbol": symbol}}
        for line, values, symbol in zip(lines, drawn, cycle(_SYMBOLS), strict=False)
    ]
    x = theme.axis(_("tokens later, k"), type="log", tickvals=list(shifts))
    y = theme.axis(
        _("largest change of a score"), type="log", range=[low_power, high_power],
        tickvals=[ZERO, *(10.0**p for p in powers)], ticktext=["0", *map(power_of_ten, powers)],
    )  # fmt: skip
    marks = cycle(_SYMBOLS.values())
    ends = [
        line_end(f"{mark} {line.name}", float(np.log10(_last(values))), line.colour)
        for line, values, mark in zip(lines, drawn, marks, strict=False)
    ]
    return figure([Panel(traces, x, y, notes=ends, rem=30)])


def _last(values: np.ndarray) -> float:
    """The last value there is."""
    known = values[~np.isnan(values)]
    return float(known[-1]) if len(known) else ZERO


def distance_charts(distances: np.ndarray, charts: Sequence[Chart]) -> Figure:
    """Four charts over key - query, two in a row, or one below the other where there is little room."""
    panels = [
        Panel(
            [line.drawn(distances) for line in chart.lines],
            plane_axis(_("key − query")), plane_axis(chart.axis, nticks=5), chart.title, is_left=True, rem=14,
        )
        for chart in charts
    ]  # fmt: skip
    return figure(panels, columns=(2, 1), once=["title"])


def plane_axis(title: str = "", **more: object) -> dict:
    """An axis of a chart whose numbers lie around zero. title: what stands beside it. more: as Plotly knows it."""
    return theme.axis(title, zeroline=True, zerolinecolor=theme.FAINT, **more)
