"""Clocks: each pair of dimensions of a query and a key as two hands on one dial, with the angle between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.theme import Figure

QUERY, KEY = "var(--token-0)", "var(--token-1)"
_DIAL = np.linspace(0, 2 * np.pi, 73)
_SIDE = 1.3  # how far a clock reaches in each direction, in units of its dial, with the names of its hands
_WORDS = 3.5  # how far the words beside a clock reach to the right
_LETTER = 10  # pixels from the tip of a hand to the middle of its letter
_WIDE, _NARROW = (4, 0.04), (1, 0.01)  # clocks in a row, and the share of the height between two rows
_BELOW = 0.22  # the share of a row's height for a line of words below a clock


@dataclass(frozen=True)
class Clock:
    """One pair. query, key: its two numbers each, as a point of the plane, float32 (2,).

    title: the name of the pair. lines: what is said of it beside the dial, or in one line below it in large type.
    """

    title: str
    query: np.ndarray
    key: np.ndarray
    lines: Sequence[str]


def clocks(each: Sequence[Clock], is_large: bool = False) -> Figure:
    """Draw the clocks, four in a row, or one below the other where there is little room.

    The longest hand of all reaches the rim of its dial, and all others are as long on the same scale. Positive angles
    go counter-clockwise. is_large: True for large type, which has more room below a clock than beside it.
    """
    rim = max((float(np.hypot(*hand)) for clock in each for hand in (clock.query, clock.key)), default=0.0) or 1.0
    traces = [trace for n, clock in enumerate(each) for trace in _traces(clock, rim, n)]
    return theme.figure(
        traces,
        **_layout(each, rim, *_WIDE, is_large),
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        meta={"narrow": {**_layout(each, rim, *_NARROW, is_large), "height": f"{8.5 * len(each)}rem"}},
    )


def _traces(clock: Clock, rim: float, n: int) -> list[dict]:
    """The dial, the wedge between the hands, and the hands."""
    number = "" if n == 0 else str(n + 1)
    axes = {"type": "scatter", "xaxis": f"x{number}", "yaxis": f"y{number}"}
    quiet = {"mode": "lines", "hoverinfo": "skip", **axes}
    x, y = _wedge(clock.query, clock.key)
    return [
        {"name": _("dial"), "x": _f32(np.cos(_DIAL)), "y": _f32(np.sin(_DIAL)),
         "line": {"color": theme.FAINT, "width": 1.5}, **quiet},
        {"name": _("angle between the hands"), "x": x, "y": y, "fill": "toself", "fillcolor": theme.GRID,
         "line": {"color": theme.GRID, "width": 0}, **quiet},
        _hand(_("query"), clock.query, rim, QUERY) | axes,
        _hand(_("key"), clock.key, rim, KEY) | axes,
    ]  # fmt: skip


def _wedge(query: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outline of the smaller part of the dial between two hands."""
    start, end = (float(np.arctan2(hand[1], hand[0])) for hand in (query, key))
    turn = (end - start + np.pi) % (2 * np.pi) - np.pi
    angles = start + np.linspace(0, turn, 25)
    return tuple(_f32(np.concatenate([[0], 0.55 * side(angles), [0]])) for side in (np.cos, np.sin))


def _hand(name: str, at: np.ndarray, rim: float, colour: str) -> dict:
    """A hand from the centre."""
    tip, degrees = at / rim, float(np.degrees(np.arctan2(at[1], at[0])))
    return {
        "name": name, "mode": "lines", "x": _f32(np.array([0, tip[0]])), "y": _f32(np.array([0, tip[1]])),
        "line": {"color": colour, "width": 4}, "cliponaxis": False,
        "hovertemplate": _(
            "{name}: ({x}, {y}), {length} long, at {degrees}°",
            name=name, x=f"{at[0]:.3f}", y=f"{at[1]:.3f}", length=f"{np.hypot(*at):.3f}", degrees=f"{degrees:.1f}",
        ) + theme.NO_EXTRA,
    }  # fmt: skip


def _letters(clock: Clock, rim: float, number: str) -> list[dict]:
    """The letters just beyond the tips, as annotations: large type would leave out a trace's text near a line."""
    letters = []
    for letter, at, colour in (("q", clock.query, QUERY), ("k", clock.key, KEY)):
        tip, direction = at / rim, at / max(float(np.hypot(*at)), 1e-6)
        letters.append(
            {
                "text": f"<b>{letter}</b>", "x": float(tip[0]), "y": float(tip[1]), "xref": f"x{number}",
                "yref": f"y{number}", "xshift": _LETTER * float(direction[0]), "yshift": _LETTER * float(direction[1]),
                "showarrow": False, "font": {"size": 15, "color": colour},
            }
        )  # fmt: skip
    return letters


def _f32(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32)


def _layout(each: Sequence[Clock], rim: float, n_columns: int, gap: float, is_large: bool) -> dict:
    """The axes of the clocks and their words, with so many in a row and this share of the height between two rows."""
    n_rows = -(-len(each) // n_columns)
    high = (1 - gap * (n_rows - 1)) / n_rows
    layout: dict = {"annotations": []}
    for n, clock in enumerate(each):
        row, column = divmod(n, n_columns)
        top = 1 - row * (high + gap)
        bottom = max(top - high, 0.0) + (_BELOW * high if is_large else 0)
        number = "" if n == 0 else str(n + 1)  # Plotly ties no axis to "x1"
        usual = {"visible": False, "fixedrange": True, "constrain": "domain"}
        layout[f"xaxis{number}"] = {
            "domain": [column / n_columns, (column + 1) / n_columns], "anchor": f"y{number}",
            "range": [-_SIDE, _SIDE if is_large else _WORDS],
            "constraintoward": "center" if is_large else "left", **usual,
        }  # fmt: skip
        layout[f"yaxis{number}"] = {
            "domain": [bottom, top], "anchor": f"x{number}", "range": [-_SIDE, _SIDE],
            "scaleanchor": f"x{number}", "scaleratio": 1, **usual,
        }  # fmt: skip
        place = _below(number) if is_large else _beside(number)
        text = (" " if is_large else "<br>").join([f"<b>{clock.title}</b>", *clock.lines])
        layout["annotations"].append({"text": text, "showarrow": False, "font": {"size": 14}, **place})
        layout["annotations"] += _letters(clock, rim, number)
    return layout


def _beside(number: str) -> dict:
    place = {"x": 1.4, "y": 0, "xref": f"x{number}", "yref": f"y{number}"}
    return {**place, "xanchor": "left", "yanchor": "middle", "align": "left"}


def _below(number: str) -> dict:
    place = {"x": 0.5, "y": 0, "xref": f"x{number} domain", "yref": f"y{number} domain"}
    return {**place, "xanchor": "center", "yanchor": "top"}
