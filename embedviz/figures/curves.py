"""Lines against a distance or a shift."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import power_of_ten
from embedviz.figures import theme
from embedviz.figures.theme import Figure

ZERO = 1e-9  # where a logarithmic axis shows 0
# The marks that tell lines apart beside their colours, by Plotly's names. Each mark also stands before the line's name.
_SYMBOLS = {
    "circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲", "cross": "✚", "x": "✖", "star": "★",
    "triangle-down": "▼", "hexagon": "⬢",
}  # fmt: skip
_GAP = 0.1  # the gap between the labels of two lines, as a share of the height


@dataclass(frozen=True)
class Line:
    """A line of a chart. values: float32 of shape (K,), NaN where there are none. colour: a colour role."""

    name: str
    values: np.ndarray
    colour: str
    width: float = 2.5
    dash: str = "solid"
    shape: str = "linear"  # "hvh": steps


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
    traces = [
        {
            "type": "scatter", "mode": "lines+markers", "x": list(shifts), "y": values.astype(np.float32),
            "name": line.name, "line": {"color": line.colour, "width": line.width},
            "marker": {"size": 9, "symbol": symbol},
            "customdata": line.values.astype(np.float32), "cliponaxis": False,
            "hovertemplate": _(
                "{name}<br>{n} later: <b>{value}</b>", name=line.name, n="%{x}", value="%{customdata:.3g}"
            ) + theme.NO_EXTRA,
        }
        for line, values, symbol in zip(lines, drawn, cycle(_SYMBOLS), strict=False)
    ]  # fmt: skip
    layout = {
        "yaxis": {
            "type": "log", "range": [low_power, high_power], "tickvals": [ZERO, *(10.0**p for p in powers)],
            "ticktext": ["0", *map(power_of_ten, powers)], "gridcolor": theme.GRID, "zeroline": False,
            "fixedrange": True, "title": _title(_("largest change of a score")),
        },
        "xaxis": {
            "type": "log", "tickvals": list(shifts), "title": _title(_("tokens later, k")),
            "gridcolor": theme.GRID, "zeroline": False, "fixedrange": True,
        },
    }  # fmt: skip
    labels = _end_labels(lines, drawn, (low_power, high_power))
    return theme.figure(
        traces,
        **layout,
        margin={"l": 70, "r": 300, "t": 12, "b": 48},
        annotations=labels,
        meta={
            "narrow": {
                "margin": {"l": 60, "r": 12, "t": 12, "b": 185},
                "height": "30rem",
                "annotations": _below(lines),
            }
        },
    )


def _title(text: str) -> dict:
    return {"text": text, "standoff": 4, "font": {"size": 13}}


def _end_labels(lines: Sequence[Line], drawn: Sequence[np.ndarray], span: tuple[float, float]) -> list[dict]:
    """The names at the right ends of the lines, moved apart where they would touch."""
    low, high = span
    ends = [_last(values) for values in drawn]
    heights = [(np.log10(end) - low) / (high - low) for end in ends]
    placed: list[dict] = []
    floor = -1.0
    for n in sorted(range(len(lines)), key=heights.__getitem__):
        floor = max(heights[n], floor + _GAP)
        placed.append(
            {
                "text": _marked(n, lines[n]), "x": 1.01, "y": floor, "xref": "paper", "yref": "paper",
                "xanchor": "left", "yanchor": "middle", "showarrow": False, "align": "left",
                "font": {"size": 14, "color": lines[n].colour},
            }
        )  # fmt: skip
    return placed


def _marked(n: int, line: Line) -> str:
    return f"{tuple(_SYMBOLS.values())[n % len(_SYMBOLS)]} {line.name}"


def _last(values: np.ndarray) -> float:
    """The last value there is."""
    known = values[~np.isnan(values)]
    return float(known[-1]) if len(known) else ZERO


def _below(lines: Sequence[Line]) -> list[dict]:
    return [
        {
            "text": _marked(n, line), "x": 0, "y": 0, "xref": "paper", "yref": "paper", "xanchor": "left",
            "yanchor": "top", "yshift": -52 - 19 * n, "showarrow": False, "font": {"size": 12, "color": line.colour},
        }
        for n, line in enumerate(lines)
    ]  # fmt: skip


def distance_charts(distances: np.ndarray, charts: Sequence[Chart], is_large: bool = False) -> Figure:
    """Four charts over key - query, two in a row, or one below the other where there is little room.

    is_large: True for large type, which needs more room between the rows.
    """
    ups = ((0.68, 1.0), (0.0, 0.32)) if is_large else ((0.59, 1.0), (0.0, 0.41))
    wide = [(across, up) for up in ups for across in ((0.05, 0.48), (0.57, 1.0))]
    high = 1 / len(charts)
    narrow = [((0.14, 1.0), (1 - n * high - 0.74 * high, 1 - n * high)) for n in range(len(charts))]
    traces = [_line(distances, line, n) for n, chart in enumerate(charts) for line in chart.lines]
    return theme.figure(
        traces,
        **_axes(charts, wide),
        margin={"l": 8, "r": 8, "t": 30, "b": 44},
        meta={"narrow": {**_axes(charts, narrow), "height": "56rem"}},
    )


def _line(distances: np.ndarray, line: Line, n: int) -> dict:
    return {
        "type": "scatter", "mode": "lines", "x": distances.astype(np.float32), "y": line.values.astype(np.float32),
        "xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}", "name": line.name,
        "line": {"color": line.colour, "width": line.width, "dash": line.dash, "shape": line.shape},
        "hovertemplate": _(
            "{name}<br>key − query {distance}: <b>{value}</b>", name=line.name, distance="%{x}", value="%{y:.4g}"
        ) + theme.NO_EXTRA,
    }  # fmt: skip


def _axes(charts: Sequence[Chart], places: Sequence[tuple]) -> dict:
    layout: dict = {"annotations": []}
    for n, (chart, (across, up)) in enumerate(zip(charts, places, strict=True)):
        usual = {"gridcolor": theme.GRID, "zerolinecolor": theme.FAINT, "fixedrange": True}
        layout[f"xaxis{n + 1}"] = {
            "domain": list(across), "anchor": f"y{n + 1}", **usual,
            "title": _title(_("key − query")) if up[0] <= 0.08 else None,
        }  # fmt: skip
        layout[f"yaxis{n + 1}"] = {
            "domain": list(up), "anchor": f"x{n + 1}", "title": _title(chart.axis), "nticks": 5, **usual,
        }  # fmt: skip
        layout["annotations"].append(theme.heading(chart.title, across[0], up[1], xanchor="left"))
    return layout
