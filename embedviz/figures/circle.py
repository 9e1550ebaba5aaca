"""A pair of sines and cosines on the unit circle, with two hands, as on a clock."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures.panels import Curve

_NAMES_OUT, _NAMES_APART = 1.28, 0.6  # of the names of hands: how far from the middle, and the angle between two


def on_a_circle(rows: np.ndarray, end: np.ndarray, names: tuple[int, int], colours: Sequence[str]) -> list[Curve]:
    """The pair of every position, (sine, cosine) each, (L, 2), with hands at the first of them and at `end`, (2,).

    names, colours: the positions of the two hands, whose names stand outside the circle, and their colours.
    """
    round_ = np.linspace(0, 2 * np.pi, 90)
    hands = []
    for name, hand, place, colour in zip(names, (rows[0], end), _beside(rows[0], end), colours, strict=True):
        called = _("position {name}", name=name)
        hands.append(Curve(called, np.array([0, hand[1]]), np.array([0, hand[0]]), colour, "lines+markers"))
        hands.append(Curve(called, place[1:], place[:1], colour, "text", [str(name)]))
    every = Curve(_("position"), rows[:, 1], rows[:, 0], "var(--faint)", "markers")
    return [Curve(_("circle"), np.cos(round_), np.sin(round_), "var(--grid)"), every, *hands]


def _beside(*hands: np.ndarray) -> list[np.ndarray]:
    """Where the names of two hands, (sine, cosine) each, stand outside the circle: further apart than close hands."""
    start, end = (float(np.arctan2(*hand)) for hand in hands)
    turn = (end - start + np.pi) % (2 * np.pi) - np.pi
    more = max(0.0, _NAMES_APART - abs(turn)) / 2 * (1 if turn >= 0 else -1)
    return [_NAMES_OUT * np.array([np.sin(at), np.cos(at)]) for at in (start - more, end + more)]
