"""Numbers of RoPE's pairs on logarithmic axes: curves over the pair, a level to compare with, and coloured regions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import power_of_ten
from embedviz.figures import theme
from embedviz.figures.theme import Figure

_GAP = 0.075  # between two names at the right, as a share of the height
_BETWEEN = 0.2  # two panels one below the other, as a share of the height
_MIN_LABEL = 0.16  # the share of the width that a region's name needs


@dataclass(frozen=True)
class PairLine:
    """A number for each pair. values: float32 (P,), NaN where there is none. colours: one role, or one for each pair.

    end: what stands at the right end of the curve. dots: whether each pair gets a dot.
    """

    name: str
    values: np.ndarray
    colours: str | Sequence[str] = theme.FAINT
    width: float = 1.5
    dash: str = "solid"
    dots: bool = False
    end: str = ""


@dataclass(frozen=True)
class Band:
    """Pairs side by side to which the same happens, from the first to the last of them."""

    name: str
    first: int
    last: int
    colour: str


@dataclass(frozen=True)
class PairChart:
    """One panel. level: the height of a line across the panel, and `above`, what stands on it.

    legend: what is drawn how; it stands beside the title, or below it where there is little room.
    """

    title: str
    legend: str
    axis: str
    lines: Sequence[PairLine]
    level: float
    above: str
    bands: Sequence[Band] = ()


def pair_charts(charts: Sequence[PairChart], narrow_height: str = "44rem") -> Figure:
    """Draw the charts side by side, or one below the other where there is little room."""
    n = len(charts)
    traces = [trace for k, chart in enumerate(charts) for trace in _traces(chart, k)]
    has_names = any(line.end for chart in charts for line in chart.lines)
    side = {"t": 34, "b": 46, "r": 132 if has_names else 16}
    wide = [(((k + 0.1 * (k > 0)) / n, (k + 1 - 0.04 * (k < n - 1)) / n), (0.0, 1.0)) for k in range(n)]
    high = (1 - _BETWEEN * (n - 1)) / n
    below = [((0.0, 1.0), (1 - k * (high + _BETWEEN) - high, 1 - k * (high + _BETWEEN))) for k in range(n)]
    return theme.figure(
        traces,
        **_layout(charts, wide, ": "),
        margin={"l": 62, **side},
        meta={
            "narrow": {
                **_layout(charts, below, ":<br>"),
                "margin": {"l": 54, **side, "t": 46, "r": 116 if has_names else 8},
                "height": narrow_height,
            }
        },
    )


def _traces(chart: PairChart, k: int) -> list[dict]:
    return [
        {
            "type": "scatter", "mode": "lines+markers" if line.dots else "lines", "name": line.name,
            "x": np.arange(len(line.values), dtype=np.float32), "y": line.values.astype(np.float32),
            "xaxis": f"x{k + 1}", "yaxis": f"y{k + 1}", "cliponaxis": False,
            "line": {"color": _first(line.colours), "width": line.width, "dash": line.dash},
            "marker": {"color": _colours(line.colours), "size": 6},
            "hovertemplate": _(
                "{name}<br>pair {pair}: <b>{value}</b>", name=line.name, pair="%{x}", value="%{y:,.4~g}"
            ) + theme.NO_EXTRA,
        }
        for line in chart.lines
    ]  # fmt: skip


def _first(colours: str | Sequence[str]) -> str:
    return colours if isinstance(colours, str) else theme.FAINT


def _colours(colours: str | Sequence[str]) -> str | list[str]:
    return colours if isinstance(colours, str) else list(colours)


def _layout(charts: Sequence[PairChart], places: Sequence[tuple], between: str) -> dict:
    layout: dict = {"annotations": [], "shapes": []}
    for k, (chart, (across, up)) in enumerate(zip(charts, places, strict=True)):
        n_pairs = len(chart.lines[0].values)
        low, high = _span(chart)
        usual = {"gridcolor": theme.GRID, "zeroline": False, "fixedrange": True}
        layout[f"xaxis{k + 1}"] = {
            "domain": list(across), "anchor": f"y{k + 1}", "title": _title(_("pair of dimensions")),
            "range": [-0.7, n_pairs - 0.3], **({"dtick": 1} if n_pairs < 8 else {}), **usual,
        }  # fmt: skip
        powers = range(int(np.ceil(low)), int(np.floor(high)) + 1, 1 if high - low < 7 else 2)
        layout[f"yaxis{k + 1}"] = {
            "type": "log", "domain": list(up), "anchor": f"x{k + 1}", "title": _title(chart.axis),
            "range": [low, high], "tickvals": [10.0**power for power in powers],
            "ticktext": [_tick(power) for power in powers], **usual,
        }  # fmt: skip
        layout["annotations"] += [
            theme.heading(_heading(chart, between), across[0], up[1], xanchor="left", align="left"),
            *_names(chart, up, (low, high)),
            *_region_names(chart, k, n_pairs),
            _above(chart, k),
        ]
        layout["shapes"] += [_level(chart, k), *_regions(chart, k)]
    return layout


def _heading(chart: PairChart, between: str) -> str:
    """The title and the legend. Projection shows what stands before the colon alone."""
    return f"{chart.title}{between}{chart.legend}" if chart.legend else chart.title


def _tick(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 4 else power_of_ten(power)


def _span(chart: PairChart) -> tuple[float, float]:
    """The smallest and the largest power of ten that the panel shows. The regions' names need room at the top."""
    values = np.concatenate([line.values for line in chart.lines])
    known = np.log10([*values[np.isfinite(values) & (values > 0)].tolist(), chart.level])
    low, high = float(known.min()), float(known.max())
    room = (high - low) or 1.0
    return low - 0.04 * room, high + (0.14 if chart.bands else 0.06) * room


def _level(chart: PairChart, k: int) -> dict:
    line = {"color": theme.INK, "width": 1.5, "dash": "dash"}
    place = {
        "xref": f"{_axis('x', k)} domain",
        "x0": 0,
        "x1": 1,
        "yref": _axis("y", k),
        "y0": chart.level,
        "y1": chart.level,
    }
    return {"type": "line", "layer": "below", "line": line, **place}


def _above(chart: PairChart, k: int) -> dict:
    """What the line across says, at the side of the panel where the first curve is further from it."""
    left, right = (np.log10(chart.lines[0].values[end] / chart.level) for end in (0, -1))
    is_left = bool(abs(left) >= abs(right))
    return {
        "text": chart.above, "xref": f"{_axis('x', k)} domain", "x": 0.01 if is_left else 0.99, "yref": _axis("y", k),
        "y": float(np.log10(chart.level)), "xanchor": "left" if is_left else "right",
        "yanchor": "bottom" if (left if is_left else right) < 0 else "top", "showarrow": False, "font": {"size": 13},
    }  # fmt: skip


def _regions(chart: PairChart, k: int) -> list[dict]:
    return [
        {
            "type": "rect", "layer": "below", "xref": _axis("x", k), "x0": band.first - 0.5, "x1": band.last + 0.5,
            "yref": f"{_axis('y', k)} domain", "y0": 0, "y1": 1, "fillcolor": band.colour, "opacity": 0.14,
            "line": {"width": 0},
        }
        for band in chart.bands
    ]  # fmt: skip


def _region_names(chart: PairChart, k: int, n_pairs: int) -> list[dict]:
    return [
        {
            "text": band.name, "xref": _axis("x", k), "x": (band.first + band.last) / 2,
            "yref": f"{_axis('y', k)} domain", "y": 1, "yanchor": "top", "showarrow": False,
            "font": {"size": 13, "color": band.colour},
        }
        for band in chart.bands
        if band.last - band.first + 1 >= _MIN_LABEL * n_pairs
    ]  # fmt: skip


def _names(chart: PairChart, up: tuple[float, float], span: tuple[float, float]) -> list[dict]:
    """The names at the right ends of the curves, from the lowest up, moved apart where they would touch."""
    named = sorted((line for line in chart.lines if line.end), key=lambda line: float(line.values[-1]))
    found, floor = [], -1.0
    for line in named:
        height = (float(np.log10(line.values[-1])) - span[0]) / (span[1] - span[0])
        floor = max(height, floor + _GAP)
        found.append(
            {
                "text": line.end, "x": 1.01, "y": up[0] + floor * (up[1] - up[0]), "xref": "paper", "yref": "paper",
                "xanchor": "left", "yanchor": "middle", "showarrow": False,
                "font": {"size": 14, "color": _first(line.colours) if line.dots else theme.INK},
            }
        )  # fmt: skip
    return found


def _axis(letter: str, k: int) -> str:
    """The axis of panel k as shapes and texts call it: the first one has no number."""
    return letter if k == 0 else f"{letter}{k + 1}"


def _title(text: str) -> dict:
    return {"text": text, "standoff": 4, "font": {"size": 13}}
