"""Lines: against a distance, and from a model's input through its layers, each with its name at its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure, line_end


@dataclass(frozen=True)
class Line:
    """A line of a chart. values: float32 of shape (K,), NaN where there are none. colour: a colour role."""

    name: str
    values: np.ndarray
    colour: str
    width: float = 2.5
    dash: str = "solid"
    shape: str = "linear"  # "hvh": steps

    def trace(self, x: np.ndarray, hover: str = "", **options: Any) -> dict:
        """The trace over x, (K,). By default pointing at it says the distance between key and query."""
        hover = hover or _(
            "{name}<br>key − query {distance}: <b>{value}</b>", name=self.name, distance="%{x}", value="%{y:.4g}"
        )
        line = {"color": self.colour, "width": self.width, "dash": self.dash, "shape": self.shape}
        return theme.curve(self.name, x, self.values, hover, line=line, **options)


def plane_axis(title: str = "", **options: Any) -> dict:
    """An axis of a chart whose numbers lie around zero. title: what stands beside it. options: as Plotly knows them."""
    return theme.axis(title, zeroline=True, zerolinecolor=theme.FAINT, **options)


@dataclass(frozen=True)
class Chart:
    """One panel of lines over the same stages. names_lowest: whether the lowest point of all has its number."""

    title: str
    lines: Sequence[Line]
    axis: str
    names_lowest: bool = False


def stage_charts(
    charts: Sequence[Chart], low: float | None = 0.0, high: float | None = None, at: int | None = None
) -> Figure:
    """Charts over the input and all layers. low, high: None where the values decide. at: the stage that is picked."""
    panels = [_panel(chart, low, high, at if n == 0 else None) for n, chart in enumerate(charts)]
    return figure(panels, margin={"t": 40})


def _panel(chart: Chart, low: float | None, high: float | None, at: int | None) -> Panel:
    n_stages = max((len(line.values) for line in chart.lines), default=1)
    hover = _("{name}<br>{stage}: <b>{value}</b>", name="%{fullData.name}", stage="%{x}", value="%{y:.4g}")
    traces = [
        line.trace(np.arange(len(line.values)), hover, mode="lines+markers", cliponaxis=False)
        | {"marker": {"size": 7 if line.dash == "solid" else 1, "color": line.colour}}
        for line in chart.lines
    ]
    x = theme.axis(
        _("layer"), tickvals=list(range(n_stages)), ticktext=[_("input"), *map(str, range(1, n_stages))],
        range=[-0.15, n_stages - 0.9],
    )  # fmt: skip
    values = np.concatenate([line.values for line in chart.lines] or [np.ones(1)])
    ends = [np.nanmin(values) if low is None else low, np.nanmax(values) if high is None else high]
    room = 0.05 * (ends[1] - ends[0])
    y = theme.axis(chart.axis, range=[float(ends[0] - room), float(ends[1] + room)], nticks=6)
    notes = [*_lowest(chart), *[line_end(line.name, float(line.values[-1]), line.colour) for line in chart.lines]]
    picked = theme.upright(at or 0, layer="below", line={"width": 2, "color": theme.FAINT, "dash": "dot"})
    shapes = [] if at is None else [picked]
    return Panel(traces, x, y, chart.title, notes=notes, rem=22, shapes=shapes)


def _lowest(chart: Chart) -> list[dict]:
    """The number of the lowest point of all lines, unless it is the end of its line, which has it anyway."""
    lines = [line for line in chart.lines if line.dash == "solid"]
    if not (chart.names_lowest and lines):
        return []
    lowest = min(lines, key=lambda line: float(np.nanmin(line.values)))
    at = int(np.nanargmin(lowest.values))
    if at == len(lowest.values) - 1:
        return []
    number = in_print(float(lowest.values[at]), ".3f")
    place = {"xref": "x", "x": at, "yref": "y", "y": float(lowest.values[at]), "yanchor": "top", "yshift": -6}
    return [{"text": number, "showarrow": False, "font": {"size": 14, "color": lowest.colour}, **place}]
