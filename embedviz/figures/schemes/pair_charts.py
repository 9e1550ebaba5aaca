"""Numbers of RoPE's pairs on a logarithmic axis: curves over the pair, a level to compare with, and a coloured band."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from embedviz.base.i18n import _, numeral
from embedviz.base.numbers import power_of_ten
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure, line_end

_DASHED = {"color": theme.INK, "width": 1.5, "dash": "dash"}
_MIN_LABEL = 0.16  # the share of the width that a region's name needs


@dataclass(frozen=True)
class PairLine:
    """A number for each pair, float32 (P,), NaN where there is none. colours: a role for each, if each gets a dot."""

    name: str
    values: np.ndarray
    colours: Sequence[str] = ()


@dataclass(frozen=True)
class Band:
    """Pairs side by side to which the same happens, from the first to the last of them."""

    name: str
    first: int
    last: int
    colour: str


@dataclass(frozen=True)
class PairChart:
    """A chart. level: the height of a line across it, on which `above` stands. band: the pairs that are marked."""

    axis: str
    lines: Sequence[PairLine]
    level: float
    above: str
    band: Band | None = None


def pair_chart(chart: PairChart) -> Figure:
    """Draw the chart."""
    n_pairs, (low, high) = len(chart.lines[0].values), _span(chart)
    powers = range(int(np.ceil(low)), int(np.floor(high)) + 1, 1 if high - low < 7 else 2)
    ticks = {"tickvals": [10.0**power for power in powers], "ticktext": [_tick(power) for power in powers]}
    steps: dict[str, Any] = {"dtick": 1} if n_pairs < 8 else {}
    panel = Panel(
        [_trace(line) for line in chart.lines],
        theme.axis(_("pair of dimensions"), range=[-0.7, n_pairs - 0.3], **steps),
        theme.axis(chart.axis, type="log", range=[low, high], **ticks),
        rem=22,
        notes=[*_region_name(chart, n_pairs), _above(chart), *chain.from_iterable(map(_name, chart.lines))],
        shapes=[theme.across(chart.level, layer="below", line=_DASHED), *_region(chart)],
    )  # fmt: skip
    return figure([panel])


def _trace(line: PairLine) -> dict:
    hover = _("{name}<br>pair {pair}: <b>{value}</b>", name=line.name, pair="%{x}", value="%{y:,.4~g}")
    if line.colours:
        look = {"mode": "markers", "marker": {"color": list(line.colours), "size": 6}}
    else:
        look = {"line": {"color": theme.FAINT, "width": 2}}
    return theme.curve(line.name, np.arange(len(line.values)), line.values, hover, cliponaxis=False, **look)


def _name(line: PairLine) -> list[dict]:
    """The name of a line behind its last number, if it has any, above other lines that go on there."""
    if not np.isfinite(line.values).any():
        return []
    last = int(np.flatnonzero(np.isfinite(line.values))[-1])
    yanchor = "middle" if last == len(line.values) - 1 else "bottom"
    end = line_end(line.name, float(np.log10(line.values[last])), theme.INK if line.colours else theme.FAINT)
    return [end | {"xref": "x", "x": last, "xshift": 10, "align": "left", "yanchor": yanchor}]


def _tick(power: int) -> str:
    return numeral(10.0**power, ",g") if -4 < power < 5 else power_of_ten(power)


def _span(chart: PairChart) -> tuple[float, float]:
    """The smallest and the largest power of ten that the panel shows. The band's name needs room at the top."""
    values = np.concatenate([line.values for line in chart.lines])
    known = np.log10([*values[np.isfinite(values) & (values > 0)].tolist(), chart.level])
    low, high = float(known.min()), float(known.max())
    room = (high - low) or 1.0
    return low - 0.04 * room, high + (0.14 if chart.band else 0.06) * room


def _above(chart: PairChart) -> dict:
    """What the line across says, at the side of the panel where the first curve is further from it."""
    left, right = (np.log10(chart.lines[0].values[end] / chart.level) for end in (0, -1))
    is_left = bool(abs(left) >= abs(right))
    return {
        "text": chart.above, "xref": "x domain", "x": 0.01 if is_left else 0.99, "yref": "y",
        "y": float(np.log10(chart.level)), "xanchor": "left" if is_left else "right",
        "yanchor": "bottom" if (left if is_left else right) < 0 else "top", "showarrow": False, "font": {"size": 13},
    }  # fmt: skip


def _region(chart: PairChart) -> list[dict]:
    if not (band := chart.band):
        return []
    place = {"xref": "x", "x0": band.first - 0.5, "x1": band.last + 0.5, "yref": "y domain", "y0": 0, "y1": 1}
    look = {"layer": "below", "opacity": 0.14, "fillcolor": band.colour, "line": {"width": 0}}
    return [{"type": "rect"} | look | place]


def _region_name(chart: PairChart, n_pairs: int) -> list[dict]:
    """The name of the band at its right end: that of the slowest pairs has no room beyond it."""
    band = chart.band
    if not band or band.last - band.first + 1 < _MIN_LABEL * n_pairs:
        return []
    place = {"xref": "x", "x": band.last + 0.5, "xanchor": "right", "yref": "y domain", "y": 1, "yanchor": "top"}
    return [{"text": band.name, "showarrow": False, "font": {"size": 13, "color": band.colour}} | place]
