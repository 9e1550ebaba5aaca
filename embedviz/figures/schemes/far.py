"""How well models answer at the end of texts that are longer than those of their training: a panel for each scheme."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure


@dataclass(frozen=True)
class Reading:
    """What a panel shows.

    kind: that of the scheme. values: a line for each seed, float32 (n_seeds, n_lengths), NaN past a table's end.
    learned: which seeds have learned the task, bool (n_seeds,); the lines of the others are dotted.
    keeps: whether all are still right in the longest text: the eye is to fall on these lines.
    """

    title: str
    kind: str
    values: np.ndarray
    learned: np.ndarray
    keeps: bool


def far(
    readings: Sequence[Reading],
    lengths: Sequence[int],
    trained: int,
    *,
    axis: str,
    short: str,
    guesses: Mapping[str, float],
    top: float,
) -> Figure:
    """A panel for each Reading, over the length of the text, in which a line stands at the trained length.

    axis, short, top: the names and the end of the vertical axis. guesses: what guessing is worth, by what is guessed,
    which is dashed.
    """
    y = theme.axis(axis, short=short, grid=False, range=[-0.04 * top, 1.04 * top], nticks=4)
    panels = [_panel(reading, lengths, trained, y, guesses) for reading in readings]
    free = next((n for n, reading in enumerate(readings) if reading.keeps), 0)  # its lines are far from the dashed ones
    panels[free] = replace(panels[free], notes=[*panels[free].notes, *_guessed(guesses)])
    first, *others = panels
    others = [replace(panel, y=y | {"title": {"text": ""}}) for panel in others]  # one name is enough
    return figure([first, *others], columns=(4, 2), once=["y", "title"], margin={"t": 30})


def _panel(reading: Reading, lengths: Sequence[int], trained: int, y: dict, guesses: Mapping[str, float]) -> Panel:
    shown = [n for n in lengths if n % trained == 0 and (n // trained).bit_count() == 1]  # doubled again and again
    x = theme.axis(
        _("tokens (bar: trained)"), short=_("tokens"), type="log", tickvals=shown, ticktext=[*map(str, shown)],
        range=[np.log10(lengths[0]) - 0.05, np.log10(lengths[-1]) + 0.05],
    )  # fmt: skip
    dashed = {"layer": "below", "line": {"color": theme.FAINT, "width": 1, "dash": "dash"}}
    shapes = [
        *(theme.across(guess, **dashed) for guess in guesses.values()),
        theme.upright(trained, layer="below", line={"color": theme.FAINT, "width": 2}),
    ]
    colour = theme.KIND_COLOURS[reading.kind]
    title = f"<b>{reading.title}</b>" if reading.keeps else reading.title
    lines, notes = _lines(reading, lengths, colour), _ended(reading, trained)
    return Panel(lines, x, y, title, colour=colour, rem=10, shapes=shapes, notes=notes)


def _lines(reading: Reading, lengths: Sequence[int], colour: str) -> list[dict]:
    hover = _("{title}, {n} tokens: <b>{value}</b>", title=reading.title, n="%{x}", value="%{y:.3g}")
    width, size, opacity = (4, 8, 1) if reading.keeps else (1.5, 3, 0.45)
    points = {"mode": "lines+markers", "marker": {"size": size, "color": colour}, "opacity": opacity}
    looks = [{"color": colour, "width": width, "dash": "solid" if learned else "dot"} for learned in reading.learned]
    return [
        theme.curve(_("seed {n}", n=n), np.array(lengths), values, hover, line=look, cliponaxis=False, **points)
        for n, (values, look) in enumerate(zip(reading.values, looks, strict=True), 1)
    ]


def _ended(reading: Reading, trained: int) -> list[dict]:
    """That the table ends, if it does."""
    if not np.isnan(reading.values).any():
        return []
    place = {"xref": "x", "x": float(np.log10(trained)), "xanchor": "left", "xshift": 4, "yref": "y domain", "y": 0.97}
    return [{"text": _("table ends"), "showarrow": False, "yanchor": "top", **place}]


def _guessed(guesses: Mapping[str, float]) -> list[dict]:
    """What the dashed lines are."""
    side = {"xref": "x domain", "x": 1, "xanchor": "right", "yref": "y", "yanchor": "bottom", "showarrow": False}
    return [{"text": text, "y": guess, **side} for text, guess in guesses.items()]
