"""Heatmaps and curves in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure


@dataclass(frozen=True)
class Heat:
    """A heatmap. values: float32 of shape (R, C), NaN where there are none. All heatmaps of a figure share one scale.

    column, row: the column or row to mark with a frame, if any. colour: of the heading, a colour role.
    """

    title: str
    values: np.ndarray
    across: str
    down: str
    column: int | None = None
    row: int | None = None
    colour: str = theme.INK


@dataclass(frozen=True)
class Curve:
    """One curve. x, y: float32 of shape (N,)."""

    name: str
    x: np.ndarray
    y: np.ndarray
    colour: str = "var(--accent)"
    mode: str = "lines"
    texts: Sequence[str] | None = None
    dash: str = "solid"


@dataclass(frozen=True)
class Curves:
    """Curves over shared axes."""

    title: str
    curves: Sequence[Curve]
    across: str
    up: str
    log: bool = False
    square: bool = False  # a unit circle: one unit as long on both axes, with room for labels around it


def panels(parts: Sequence[Heat | Curves], widths: Sequence[float], limit: float = 0) -> Figure:
    """Draw the parts from left to right. widths: the share of the room that each part gets.

    limit: where the colours end; at the largest number if it is 0.
    """
    heats = [part.values for part in parts if isinstance(part, Heat)]
    limit = limit or max((float(np.nanmax(np.abs(each), initial=0)) for each in heats), default=0) or 1.0
    bar = theme.colour_bar(**theme.from_zero(limit, beyond=""))
    makers = {Heat: _heat, Curves: _curves}
    rem = min(22, 56 / len(parts))
    drawn = [makers[type(part)](part, width=width, rem=rem) for part, width in zip(parts, widths, strict=True)]
    return figure(drawn, coloraxis=theme.diverging(limit, colorbar=bar))


def _heat(part: Heat, **more: float) -> Panel:
    n_rows, n_columns = part.values.shape
    hover = f"{part.down} %{{y}}, {part.across} %{{x}}<br><b>%{{z:.4f}}</b>"
    return Panel(
        [theme.heatmap(part.title, part.values, hover)],
        theme.axis(part.across, grid=False, range=[-0.5, n_columns - 0.5]),
        theme.axis(part.down, grid=False, range=[n_rows - 0.5, -0.5]),
        part.title, is_left=True, colour=part.colour, shapes=_frames(part), **more,
    )  # fmt: skip


def _frames(part: Heat) -> list[dict]:
    """A frame around the picked row or column."""
    frame = {"type": "rect", "line": {"width": 2, "color": theme.INK}, "fillcolor": "rgba(0,0,0,0)"}
    return [
        frame | {f"{other}ref": f"{other} domain", f"{other}0": 0, f"{other}1": 1,
                 f"{axis}ref": axis, f"{axis}0": at - 0.5, f"{axis}1": at + 0.5}
        for axis, other, at in (("y", "x", part.row), ("x", "y", part.column))
        if at is not None
    ]  # fmt: skip


def _curves(part: Curves, **more: float) -> Panel:
    usual = {"zeroline": True, "zerolinecolor": theme.FAINT}
    # Only powers of ten are labelled, since Plotly writes the numbers between them smaller.
    x, y = usual, usual | ({"type": "log", "dtick": 1} if part.log else {})
    if part.square:
        x, y = x | {"range": [-1.3, 1.3]}, y | {"scaleanchor": "x", "scaleratio": 1, "range": [-1.3, 1.3]}
    traces = [_curve(curve, part) for curve in part.curves]
    return Panel(traces, theme.axis(part.across, **x), theme.axis(part.up, **y), part.title, is_left=True, **more)


def _curve(curve: Curve, part: Curves) -> dict:
    return theme.curve(
        curve.name, curve.x, curve.y, f"{curve.name}<br>{part.across} %{{x:.4~g}}: <b>%{{y:.4~g}}</b>",
        mode=curve.mode, line={"color": curve.colour, "width": 2.5, "dash": curve.dash},
        marker={"color": curve.colour, "size": 7}, text=curve.texts, textposition="top center",
        textfont={"color": curve.colour, "size": 12}, cliponaxis=False,
    )  # fmt: skip
