"""Heatmaps and lines side by side in one figure, or one below the other where there is little room."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.figures import theme
from embedviz.figures.theme import Figure

_GAP = 0.08


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


def panels(
    parts: Sequence[Heat | Curves], widths: Sequence[float], narrow_height: str = "56rem", limit: float = 0
) -> Figure:
    """Draw the parts from left to right. widths: the share of the room that each part gets.

    limit: where the colours end; at the largest number if it is 0.
    """
    heats = [part.values for part in parts if isinstance(part, Heat)]
    limit = limit or max((float(np.nanmax(np.abs(each), initial=0)) for each in heats), default=0) or 1.0
    spans = _spans(widths)
    high = 1 / len(parts)
    below = [((0.02, 0.98), (1 - (n + 0.72) * high, 1 - n * high)) for n in range(len(parts))]
    traces = [trace for n, part in enumerate(parts) for trace in _traces(part, n)]
    return theme.figure(
        traces,
        **_layout(parts, [(span, (0.0, 1.0)) for span in spans]),
        coloraxis=theme.diverging(limit, colorbar=_bar(limit)),
        margin={"l": 54, "r": 60 if heats else 16, "t": 34, "b": 46},
        meta={
            "narrow": {
                **_layout(parts, below),
                "coloraxis": theme.diverging(limit, showscale=False),
                "margin": {"l": 54, "r": 8, "t": 34, "b": 46},
                "height": narrow_height,
            }
        },
    )


def _spans(widths: Sequence[float]) -> list[tuple[float, float]]:
    room = 1 - _GAP * (len(widths) - 1)
    ends = np.cumsum(widths) / sum(widths) * room
    starts = np.concatenate([[0], ends[:-1]])
    return [(float(a + _GAP * n), float(b + _GAP * n)) for n, (a, b) in enumerate(zip(starts, ends, strict=True))]


def _traces(part: Heat | Curves, n: int) -> list[dict]:
    axes = {"xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}"}
    if isinstance(part, Heat):
        return [
            {
                "type": "heatmap", "name": part.title, "z": part.values.astype(np.float32), "coloraxis": "coloraxis",
                "hoverongaps": False, **axes,
                "hovertemplate": f"{part.down} %{{y}}, {part.across} %{{x}}<br><b>%{{z:.4f}}</b>{theme.NO_EXTRA}",
            }
        ]  # fmt: skip
    return [_curve(curve, part, axes) for curve in part.curves]


def _curve(curve: Curve, part: Curves, axes: dict) -> dict:
    return {
        "type": "scatter", "name": curve.name, "mode": curve.mode, "x": curve.x.astype(np.float32),
        "y": curve.y.astype(np.float32), "line": {"color": curve.colour, "width": 2.5, "dash": curve.dash},
        "marker": {"color": curve.colour, "size": 7}, "text": curve.texts, "textposition": "top center",
        "textfont": {"color": curve.colour, "size": 12}, "cliponaxis": False, **axes,
        "hovertemplate": f"{curve.name}<br>{part.across} %{{x:.4~g}}: <b>%{{y:.4~g}}</b>{theme.NO_EXTRA}",
    }  # fmt: skip


def _layout(parts: Sequence[Heat | Curves], places: Sequence[tuple]) -> dict:
    layout: dict = {"annotations": [], "shapes": []}
    for n, (part, (across, up)) in enumerate(zip(parts, places, strict=True)):
        x, y = f"xaxis{n + 1}", f"yaxis{n + 1}"
        is_heat = isinstance(part, Heat)
        usual = {
            "fixedrange": True, "zeroline": not is_heat, "showgrid": not is_heat, "gridcolor": theme.GRID,
            "zerolinecolor": theme.FAINT,
        }  # fmt: skip
        layout[x] = {"domain": list(across), "anchor": f"y{n + 1}", "title": _title(part.across), **usual}
        layout[y] = {"domain": list(up), "anchor": f"x{n + 1}", "title": _title(_up(part)), **usual}
        if is_heat:
            layout[y]["autorange"] = "reversed"
            layout["shapes"] += _frames(part, n)
        else:
            # Only powers of ten are labelled, since Plotly writes the numbers between them smaller.
            layout[y] |= {"type": "log", "dtick": 1} if part.log else {"type": "linear"}
            if part.square:
                layout[y] |= {"scaleanchor": f"x{n + 1}", "scaleratio": 1, "range": [-1.3, 1.3]}
                layout[x] |= {"range": [-1.3, 1.3]}
        colour = {"font": {"size": 15, "color": part.colour}} if is_heat else {}
        layout["annotations"].append(theme.heading(part.title, across[0], up[1], xanchor="left", **colour))
    return layout


def _up(part: Heat | Curves) -> str:
    return part.down if isinstance(part, Heat) else part.up


def _frames(part: Heat, n: int) -> list[dict]:
    """A frame around the picked row or column."""
    frame = {"type": "rect", "line": {"width": 2, "color": theme.INK}, "fillcolor": "rgba(0,0,0,0)"}
    number = "" if n == 0 else str(n + 1)
    x, y = f"x{number}", f"y{number}"
    places = []
    if part.row is not None:
        places.append({"xref": f"{x} domain", "x0": 0, "x1": 1, "yref": y, **_around("y", part.row)})
    if part.column is not None:
        places.append({"yref": f"{y} domain", "y0": 0, "y1": 1, "xref": x, **_around("x", part.column)})
    return [frame | place for place in places]


def _around(axis: str, at: int) -> dict:
    return {f"{axis}0": at - 0.5, f"{axis}1": at + 0.5}


def _title(text: str) -> dict:
    return {"text": text, "standoff": 4, "font": {"size": 13}}


def _bar(limit: float) -> dict:
    return {
        "thickness": 9, "outlinewidth": 0, "x": 1.01, "xpad": 0, "len": 1, "tickvals": [-limit, 0, limit],
        "ticktext": [f"−{limit:.3g}", "0", f"{limit:.3g}"],
    }  # fmt: skip
