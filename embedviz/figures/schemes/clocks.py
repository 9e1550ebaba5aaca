"""Clocks: each pair of dimensions of a query and a key as two hands on one dial, with the angle between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

QUERY, KEY = "var(--token-0)", "var(--token-1)"
_DIAL = np.linspace(0, 2 * np.pi, 73)
_SIDE = 1.3  # how far a clock reaches in each direction, in units of its dial, with the names of its hands
_LETTER = 10  # pixels from the tip of a hand to the middle of its letter


@dataclass(frozen=True)
class Clock:
    """One pair. query, key: its two numbers each, as a point of the plane, float32 (2,).

    title: the name of the pair. lines: what is said of it beside the dial. short: what is said in one line below it.
    """

    title: str
    query: np.ndarray
    key: np.ndarray
    lines: Sequence[str]
    short: str = ""


def clocks(each: Sequence[Clock]) -> Figure:
    """Draw the clocks, four in a row, or one below the other where there is little room.

    The longest hand of all reaches the rim of its dial, and all others are as long on the same scale. Positive angles
    go counter-clockwise.
    """
    rim = max((float(np.hypot(*hand)) for clock in each for hand in (clock.query, clock.key)), default=0.0) or 1.0
    return figure([_panel(clock, rim) for clock in each], columns=(4, 1))


def _panel(clock: Clock, rim: float) -> Panel:
    """The dial, the wedge between the hands, and the hands."""
    traces = [
        theme.curve(_("dial"), np.cos(_DIAL), np.sin(_DIAL), line={"color": theme.FAINT, "width": 1.5}),
        theme.curve(
            _("angle between the hands"), *_wedge(clock.query, clock.key), fill="toself", fillcolor=theme.GRID,
            line={"color": theme.GRID, "width": 0},
        ),
        _hand(_("query"), clock.query, rim, QUERY),
        _hand(_("key"), clock.key, rim, KEY),
    ]  # fmt: skip
    side = {"visible": False, "fixedrange": True, "range": [-_SIDE, _SIDE]}
    return Panel(traces, side, side, rem=8.5, notes=[_words(clock), *_letters(clock, rim)])


def _wedge(query: np.ndarray, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outline of the smaller part of the dial between two hands."""
    start, end = (float(np.arctan2(hand[1], hand[0])) for hand in (query, key))
    turn = (end - start + np.pi) % (2 * np.pi) - np.pi
    angles = start + np.linspace(0, turn, 25)
    return tuple(np.concatenate([[0], 0.55 * side(angles), [0]]) for side in (np.cos, np.sin))


def _hand(name: str, at: np.ndarray, rim: float, colour: str) -> dict:
    """A hand from the centre."""
    tip, degrees = at / rim, float(np.degrees(np.arctan2(at[1], at[0])))
    said = _(
        "{name}: ({x}, {y}), {length} long, at {degrees}°",
        name=name, x=f"{at[0]:.3f}", y=f"{at[1]:.3f}", length=f"{np.hypot(*at):.3f}", degrees=f"{degrees:.1f}",
    )  # fmt: skip
    return theme.curve(name, [0, tip[0]], [0, tip[1]], said, line={"color": colour, "width": 4}, cliponaxis=False)


def _words(clock: Clock) -> dict:
    """What is said of the clock. The page puts it beside the dial, or in short below it."""
    text = {"text": "<br>".join([f"<b>{clock.title}</b>", *clock.lines]), "short": clock.short}
    place = {"xref": "x domain", "x": 1, "xanchor": "left", "yref": "y domain", "y": 0.5, "yanchor": "middle"}
    return {"role": "aside", **text, "showarrow": False, "font": {"size": 14}, "align": "left", **place}


def _letters(clock: Clock, rim: float) -> list[dict]:
    """The letters just beyond the tips, as annotations: large type would leave out a trace's text near a line."""
    letters = []
    for letter, at, colour in (("q", clock.query, QUERY), ("k", clock.key, KEY)):
        (x, y), (right, up) = at / rim, _LETTER * at / max(float(np.hypot(*at)), 1e-6)
        place = {"xref": "x", "x": float(x), "xshift": float(right), "yref": "y", "y": float(y), "yshift": float(up)}
        text = {"text": f"<b>{letter}</b>", "showarrow": False, "font": {"size": 15, "color": colour}}
        letters.append(text | place)
    return letters
