"""Clocks: each pair of dimensions of a query and a key as two hands on one dial, with the angle between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from embedviz.base.i18n import _, numeral
from embedviz.figures import theme
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure

QUERY, KEY = "var(--query)", "var(--key)"
_DIAL = np.linspace(0, 2 * np.pi, 73)
_ARC = np.linspace(0, 1, 17)
_SIDE = 1.3  # how far a clock reaches in each direction, in units of its dial, with the names of its hands
_LETTERS = 1.17  # from the centre to the middle of each letter, in the same units
_APART = 0.45  # the least angle between two letters, in radians
_SECONDS = 3.0
_PALE = 0.5  # the opacity of hands that have left


@dataclass(frozen=True)
class Clock:
    """One pair: its two numbers at P places, float32 (P, 2), and what is said beside the dial, or in short below.

    left: where the query and the key stood before they were moved, (2, 2), if they were.
    """

    title: str
    queries: np.ndarray
    keys: np.ndarray
    lines: Sequence[str]
    short: str = ""
    left: np.ndarray | None = None


def clocks(dials: Sequence[Clock], above: str = "") -> Figure:
    """Draw the clocks, four in a row or two, on one scale. When they come, their hands go once along their way.

    above: what is said of all of them together.
    """
    hands = [np.hypot(*way.T).max() for clock in dials for way in (clock.queries, clock.keys)]
    rim = float(max(hands, default=0.0)) or 1.0
    n_places = max((len(clock.queries) for clock in dials), default=1)
    meta = LayoutMeta(plays=_SECONDS, frames=n_places) if n_places > 1 else None
    panels = [_panel(clock, rim) for clock in dials]
    if not above:
        return figure(panels, columns=(4, 2), meta=meta)
    first = replace(panels[0], notes=[_above(above), *panels[0].notes])
    return figure([first, *panels[1:]], columns=(4, 2), meta=meta, margin={"t": 36})


def _above(text: str) -> dict:
    """A line above all clocks."""
    place = {"xref": "paper", "x": 0.5, "xanchor": "center", "yref": "paper", "y": 1, "yanchor": "bottom"}
    return {"text": f"<b>{text}</b>", "showarrow": False, "font": {"size": 18}, **place}


def _panel(clock: Clock, rim: float) -> Panel:
    """The dial, the hands that were left if there are any, the wedge between the hands, and the hands."""
    traces = [
        theme.curve(_("dial"), np.cos(_DIAL), np.sin(_DIAL), line={"color": theme.FAINT, "width": 1.5}),
        *([] if clock.left is None else _left(clock.left, rim)),
        _moving(
            _wedges(clock.queries, clock.keys), _("angle between the hands"), fill="toself", fillcolor=theme.GRID,
            line={"color": theme.GRID, "width": 0},
        ),
        _hand(_("query"), clock.queries, rim, QUERY),
        _hand(_("key"), clock.keys, rim, KEY),
    ]  # fmt: skip
    side = {"visible": False, "fixedrange": True, "range": [-_SIDE, _SIDE]}
    return Panel(traces, side, side, rem=10, notes=[_caption(clock), *_letters(clock)])


def _left(hands: np.ndarray, rim: float) -> list[dict]:
    """The arc between the two hands that were left, (2, 2), and these hands, pale."""
    (wedge,) = _wedges(hands[:1], hands[1:])
    arc = theme.curve("", *wedge[1:-1].T, line={"color": theme.FAINT, "width": 1.5, "dash": "dot"})
    pale = [
        theme.curve("", *np.array([(0, 0), hand / rim]).T, line={"color": colour, "width": 4}, opacity=_PALE)
        for hand, colour in zip(hands, (QUERY, KEY), strict=True)
    ]
    return [arc, *pale]


def _moving(ways: np.ndarray, name: str, hover: str = "", **options: Any) -> dict:
    """A curve that goes through several shapes, (P, N, 2), and is drawn in the last of them."""
    x, y = (np.ascontiguousarray(ways[..., side], np.float32) for side in (0, 1))
    frames = {"meta": TraceMeta(frames={"x": x, "y": y})} if len(ways) > 1 else {}
    return theme.curve(name, x[-1], y[-1], hover, **options, **frames)


def _wedges(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The outline of the smaller part of the dial between two hands at each place, (P, N, 2)."""
    start, turn = _turns(queries, keys)
    angles = start[:, None] + turn[:, None] * _ARC  # (P, N - 2)
    rims = 0.55 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.pad(rims, ((0, 0), (1, 1), (0, 0)))


def _turns(queries: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The direction of the query at each place, and the smaller turn from it to the key, in radians, (P,) both."""
    start, end = (np.arctan2(hands[:, 1], hands[:, 0]) for hands in (queries, keys))
    return start, (end - start + np.pi) % (2 * np.pi) - np.pi


def _hand(name: str, way: np.ndarray, rim: float, colour: str) -> dict:
    """A hand from the centre."""
    at = way[-1]
    hover = _(
        "{name}: ({x}, {y}), {length} long, at {degrees}°",
        name=name, x=numeral(at[0], ".3f"), y=numeral(at[1], ".3f"), length=numeral(np.hypot(*at), ".3f"),
        degrees=numeral(float(np.degrees(np.arctan2(at[1], at[0]))), ".1f"),
    )  # fmt: skip
    from_centre = np.pad(way[:, None] / rim, ((0, 0), (1, 0), (0, 0)))  # (P, 2, 2)
    return _moving(from_centre, name, hover, line={"color": colour, "width": 4}, cliponaxis=False)


def _caption(clock: Clock) -> dict:
    """What is said of the clock. The page puts it beside the dial, or in short below it."""
    text = {"text": "<br>".join([f"<b>{clock.title}</b>", *clock.lines]), "short": clock.short}
    place = {"xref": "x domain", "x": 1, "xanchor": "left", "yref": "y domain", "y": 0.5, "yanchor": "middle"}
    return {"role": "aside", **text, "showarrow": False, "font": {"size": 15}, "align": "left", **place}


def _letters(clock: Clock) -> list[dict]:
    """The letters of the hands, where no hand and no rim is: beyond the rim, and apart if the hands are not.

    They are annotations: large type would leave out a trace's text near a line.
    """
    start, turn = _turns(clock.queries, clock.keys)
    aside = np.where(turn < 0, -1, 1) * np.maximum(_APART - np.abs(turn), 0) / 2
    letters = []
    for letter, angles, colour in (("q", start - aside, QUERY), ("k", start + turn + aside, KEY)):
        x, y = (_LETTERS * np.stack([np.cos(angles), np.sin(angles)])).astype(np.float32)
        place = {"xref": "x", "x": float(x[-1]), "yref": "y", "y": float(y[-1]), "frames": {"x": x, "y": y}}
        text = {"text": f"<b>{letter}</b>", "showarrow": False, "font": {"size": 15, "color": colour}}
        letters.append(text | place)
    return letters
