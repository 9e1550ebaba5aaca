"""Numbers of RoPE's pairs on logarithmic axes: curves over the pair, a level to compare with, and coloured regions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import power_of_ten
from embedviz.figures import theme
from embedviz.figures.figure import Panel

_MIN_LABEL = 0.16  # the share of the width that a region's name needs


@dataclass(frozen=True)
class PairLine:
    """A number for each pair. values: float32 (P,), NaN where there is none. colours: one role, or one for each pair.

    dots: whether each pair gets a dot.
    """

    name: str
    values: np.ndarray
    colours: str | Sequence[str] = theme.FAINT
    width: float = 1.5
    dots: bool = False


@dataclass(frozen=True)
class Band:
    """Pairs side by side to which the same happens, from the first to the last of them."""

    name: str
    first: int
    last: int
    colour: str


@dataclass(frozen=True)
class PairChart:
    """One panel. level: the height of a line across the panel, and `above`, what stands on it."""

    title: str
    axis: str
    lines: Sequence[PairLine]
    level: float
    above: str
    bands: Sequence[Band] = ()


def pair_panel(chart: PairChart) -> Panel:
    """The chart as a panel of a figure."""
    n_pairs, (low, high) = len(chart.lines[0].values), _span(chart)
    powers = range(int(np.ceil(low)), int(np.floor(high)) + 1, 1 if high - low < 7 else 2)
    ticks = {"tickvals": [10.0**power for power in powers], "ticktext": [_tick(power) for power in powers]}
    steps = {"dtick": 1} if n_pairs < 8 else {}
    return Panel(
        [_trace(line) for line in chart.lines],
        theme.axis(_("pair of dimensions"), range=[-0.7, n_pairs - 0.3], **steps),
        theme.axis(chart.axis, type="log", range=[low, high], **ticks),
        chart.title, is_left=True, rem=22,
        notes=[*_region_names(chart, n_pairs), _above(chart)], shapes=[_level(chart), *_regions(chart)],
    )  # fmt: skip


def _trace(line: PairLine) -> dict:
    said = _("{name}<br>pair {pair}: <b>{value}</b>", name=line.name, pair="%{x}", value="%{y:,.4~g}")
    colours = line.colours if isinstance(line.colours, str) else list(line.colours)
    return theme.curve(
        line.name, np.arange(len(line.values)), line.values, said,
        mode="lines+markers" if line.dots else "lines", cliponaxis=False,
        line={"color": _first(line.colours), "width": line.width},
        marker={"color": colours, "size": 6},
    )  # fmt: skip


def _first(colours: str | Sequence[str]) -> str:
    return colours if isinstance(colours, str) else theme.FAINT


def _tick(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 4 else power_of_ten(power)


def _span(chart: PairChart) -> tuple[float, float]:
    """The smallest and the largest power of ten that the panel shows. The regions' names need room at the top."""
    values = np.concatenate([line.values for line in chart.lines])
    known = np.log10([*values[np.isfinite(values) & (values > 0)].tolist(), chart.level])
    low, high = float(known.min()), float(known.max())
    room = (high - low) or 1.0
    return low - 0.04 * room, high + (0.14 if chart.bands else 0.06) * room


def _level(chart: PairChart) -> dict:
    place = {"xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": chart.level, "y1": chart.level}
    return {"type": "line", "layer": "below", "line": {"color": theme.INK, "width": 1.5, "dash": "dash"}, **place}


def _above(chart: PairChart) -> dict:
    """What the line across says, at the side of the panel where the first curve is further from it."""
    left, right = (np.log10(chart.lines[0].values[end] / chart.level) for end in (0, -1))
    is_left = bool(abs(left) >= abs(right))
    return {
        "text": chart.above, "xref": "x domain", "x": 0.01 if is_left else 0.99, "yref": "y",
        "y": float(np.log10(chart.level)), "xanchor": "left" if is_left else "right",
        "yanchor": "bottom" if (left if is_left else right) < 0 else "top", "showarrow": False, "font": {"size": 13},
    }  # fmt: skip


def _regions(chart: PairChart) -> list[dict]:
    area = {"type": "rect", "layer": "below", "yref": "y domain", "y0": 0, "y1": 1, "opacity": 0.14}
    return [
        area
        | {"xref": "x", "x0": band.first - 0.5, "x1": band.last + 0.5, "fillcolor": band.colour, "line": {"width": 0}}
        for band in chart.bands
    ]


def _region_names(chart: PairChart, n_pairs: int) -> list[dict]:
    """The names of the bands at their right ends: those of the slowest pairs have no room beyond them."""
    return [
        {
            "text": band.name, "xref": "x", "x": band.last + 0.5, "xanchor": "right", "yref": "y domain", "y": 1,
            "yanchor": "top", "showarrow": False, "font": {"size": 13, "color": band.colour},
        }
        for band in chart.bands
        if band.last - band.first + 1 >= _MIN_LABEL * n_pairs
    ]  # fmt: skip
