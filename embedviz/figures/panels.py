"""Heatmaps and curves in one figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from embedviz.base.i18n import _, label_value, listed
from embedviz.figures import theme
from embedviz.figures.curves import plane_axis
from embedviz.figures.figure import Figure, LayoutMeta, Panel, figure, line_end

_AROUND = [-1.5, 1.5]  # a unit circle and the names outside it
_TURNED_IN, _TURNED_OUT = 0.3, 0.7  # of the line that shows a turn: how far from the middle, and after all its rounds
_MOST_ROUNDS = 6
_NAMES_OUT, _NAMES_APART = 1.28, 0.4  # of the names of hands: how far from the middle, and the angle between two


@dataclass(frozen=True)
class Heat:
    """A heatmap, float32 (R, C), NaN where there is no number, of which a note tells.

    columns, rows: which have a frame, and its colour.
    """

    title: str
    values: np.ndarray
    across: str
    down: str
    columns: Sequence[tuple[int, str]] = ()
    rows: Sequence[tuple[int, str]] = ()
    note: str = ""


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
    symbol: str = "circle"


@dataclass(frozen=True)
class Curves:
    """Curves over shared axes. names: True if each has its name at its right end. from_zero: True if 0 is in sight."""

    title: str
    curves: Sequence[Curve]
    across: str
    up: str
    square: bool = False  # a unit circle: one unit as long on both axes, with room for labels around it
    names: bool = False
    from_zero: bool = False


def panels(parts: Sequence[Heat | Curves], widths: Sequence[float], once: Sequence[str] = ()) -> Figure:
    """Draw the parts from left to right. widths: their shares. once: as in `figure`."""
    heats = [part.values for part in parts if isinstance(part, Heat)]
    limit = max((float(np.nanmax(np.abs(each), initial=0)) for each in heats), default=0) or 1.0
    makers = {Heat: _heat, Curves: _curves}
    rem = min(22, 56 / len(parts))
    placed = [makers[type(part)](part, width=width, rem=rem) for part, width in zip(parts, widths, strict=True)]
    for n, (before, part) in enumerate(pairwise(parts), 1):
        if isinstance(before, Heat) and isinstance(part, Heat) and before.down == part.down:
            placed[n].y.pop("title")  # the panel before it says what its rows are
    return figure(
        placed,
        coloraxis=theme.around_zero(limit, beyond=""),
        meta=LayoutMeta(bars="below") if heats else None,
        once=once,
    )


def _heat(part: Heat, **options: Any) -> Panel:
    n_rows, n_columns = part.values.shape
    hover = f"{listed([part.down + ' %{y}', part.across + ' %{x}'])}<br><b>%{{z:.4f}}</b>"
    return Panel(
        [theme.heatmap(part.title, part.values, hover)],
        theme.axis(part.across, grid=False, range=[-0.5, n_columns - 0.5]),
        theme.axis(part.down, grid=False, range=[n_rows - 0.5, -0.5]),
        part.title, notes=_no_numbers(part), shapes=_frames(part), **options,
    )  # fmt: skip


def _no_numbers(part: Heat) -> list[dict]:
    """The note on rows without numbers, in the middle of them."""
    empty = np.flatnonzero(np.isnan(part.values).all(axis=1))
    if not (part.note and len(empty)):
        return []
    place = {
        "xref": "x domain",
        "x": 0.5,
        "xanchor": "center",
        "yref": "y",
        "y": float(empty.mean()),
        "yanchor": "middle",
    }
    return [{"text": part.note, "showarrow": False, "font": {"size": 15}, **place}]


def _frames(part: Heat) -> list[dict]:
    """A frame around each of the marked rows and columns."""
    return [
        {"type": "rect", "line": {"width": 2, "color": colour}, "fillcolor": "rgba(0,0,0,0)",
         f"{other}ref": f"{other} domain", f"{other}0": 0, f"{other}1": 1,
         f"{axis}ref": axis, f"{axis}0": at - 0.5, f"{axis}1": at + 0.5}
        for axis, other, marked in (("y", "x", part.rows), ("x", "y", part.columns))
        for at, colour in marked
    ]  # fmt: skip


def _curves(part: Curves, **options: Any) -> Panel:
    x = {"range": _AROUND, "constrain": "domain", "tickvals": [-1, 0, 1]} if part.square else {}
    y = x | {"scaleanchor": "x", "scaleratio": 1} if part.square else {}
    if part.from_zero:
        y = {"rangemode": "tozero"}
    ends = []
    if part.names:  # which the page moves apart by the range of the axis
        low, high = min(float(min(curve.y)) for curve in part.curves), max(float(max(curve.y)) for curve in part.curves)
        y = y | {"range": [low - 0.08 * (high - low), high + 0.08 * (high - low)]}
        ends = [line_end(curve.name, float(curve.y[-1]), curve.colour) for curve in part.curves]
    traces = [_curve(curve, part) for curve in part.curves]
    axes = plane_axis(part.across, **x), plane_axis(part.up, **y)
    return Panel(traces, *axes, part.title, notes=ends, **options)


def _curve(curve: Curve, part: Curves) -> dict:
    return theme.curve(
        curve.name, curve.x, curve.y, f"{curve.name}<br>{label_value(part.across + ' %{x:.4~g}', '<b>%{y:.4~g}</b>')}",
        mode=curve.mode, line={"color": curve.colour, "width": 2.5, "dash": curve.dash},
        marker={"color": curve.colour, "size": 7, "symbol": curve.symbol}, text=curve.texts,
        textfont={"color": curve.colour, "size": 16}, cliponaxis=False,
    )  # fmt: skip


def on_a_circle(
    rows: np.ndarray, end: np.ndarray, turn: float, names: tuple[int, int], colours: Sequence[str]
) -> list[Curve]:
    """The pair of every position, (sine, cosine) each, (L, 2), with hands at the first of them and at `end`, (2,).

    turn: from the first hand to the second one, in radians. It is drawn as an arc, which is a spiral if it goes round
    more than once, and not at all if it goes round so often that nobody could follow it.
    names, colours: the positions of the two hands, whose names stand outside the circle, and their colours.
    """
    round_ = np.linspace(0, 2 * np.pi, 90)
    hands = []
    for name, hand, place, colour in zip(names, (rows[0], end), _beside(rows[0], end), colours, strict=True):
        called = _("position {name}", name=name)
        hands.append(Curve(called, np.array([0, hand[1]]), np.array([0, hand[0]]), colour, "lines+markers"))
        hands.append(Curve(called, place[1:], place[:1], colour, "text", [str(name)]))
    every = Curve(_("position"), rows[:, 1], rows[:, 0], "var(--faint)", "markers")
    return [Curve(_("circle"), np.cos(round_), np.sin(round_), "var(--grid)"), every, _arc(rows[0], turn), *hands]


def _arc(start: np.ndarray, turn: float) -> Curve:
    """The way of a hand from (sine, cosine) over so many radians."""
    rounds = turn / (2 * np.pi)
    way = np.linspace(0, turn, 60 * int(np.ceil(rounds)) if rounds <= _MOST_ROUNDS else 0)
    out = _TURNED_IN + (_TURNED_OUT - _TURNED_IN) * way / max(turn, 2 * np.pi)
    at = float(np.arctan2(*start)) + way
    return Curve(_("turned"), out * np.cos(at), out * np.sin(at), "var(--accent)")


def _beside(*hands: np.ndarray) -> list[np.ndarray]:
    """Where the names of two hands, (sine, cosine) each, stand outside the circle: further apart than close hands."""
    start, end = (float(np.arctan2(*hand)) for hand in hands)
    turn = (end - start + np.pi) % (2 * np.pi) - np.pi
    apart = max(0.0, _NAMES_APART - abs(turn)) / 2 * (1 if turn >= 0 else -1)
    return [_NAMES_OUT * np.array([np.sin(at), np.cos(at)]) for at in (start - apart, end + apart)]
