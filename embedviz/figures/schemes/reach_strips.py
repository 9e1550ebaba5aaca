"""A strip for each scheme, which shows for every position or distance what the scheme has there."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_COLOURS = (theme.GRID, "var(--token-2)", "var(--token-0)", "var(--token-1)", "var(--token-3)", theme.FAINT)
_MIN_LABEL = 0.1  # the share of the width that a word needs


def strips(names: Sequence[str], states: np.ndarray, words: Sequence[str], trained: int) -> Figure:
    """A strip for each name. states: numbers 0 to 5 of shape (schemes, N). words: the name of each state.

    A line marks where training ended.
    """
    n_strips, length = states.shape
    scale = [[(n + side) / len(_COLOURS), colour] for n, colour in enumerate(_COLOURS) for side in (0, 1)]
    trace = theme.heatmap(
        _("what each position is, by scheme"), states, _("{scheme}, {n} away or at {n}", scheme="%{y}", n="%{x}"),
        {"zmin": -0.5, "zmax": len(_COLOURS) - 0.5, "colorscale": scale}, y=list(names), opacity=0.45,
    )  # fmt: skip
    x = theme.axis(_("position, or distance back"), grid=False, range=[-0.5, length - 0.5])
    ticks = {"type": "category", "ticks": "", "tickfont": {"size": 14}, "tickvals": list(names)}
    y = theme.axis(grid=False, autorange="reversed", **ticks)
    notes = [*_words(states, words, trained), *_end_label(trained, length)]
    shapes = [*theme.row_separators(n_strips, 5), *_end(trained, length)]
    return figure([Panel([trace], x, y, notes=notes, shapes=shapes)], margin={"t": 26})


def _end(trained: int, length: int) -> list[dict]:
    if trained >= length:
        return []
    x, line = trained - 0.5, {"color": theme.INK, "width": 2}
    return [{"type": "line", "xref": "x", "yref": "y domain", "y0": 0, "y1": 1.02, "x0": x, "x1": x, "line": line}]


def _end_label(trained: int, length: int) -> list[dict]:
    if trained >= length:
        return []
    text = _("trained on {trained:,} tokens", trained=trained)
    left = trained > 0.4 * length  # on a phone the names of the rows take some of the width
    place = {"xref": "x", "x": trained - 0.5, "yref": "y domain", "y": 1.01, "yanchor": "bottom"}
    return [{"text": text, "showarrow": False, "xanchor": "right" if left else "left", **place}]


def _words(states: np.ndarray, words: Sequence[str], trained: int) -> list[dict]:
    """The name of every stretch that is long enough for it. A stretch ends at the line too, where training ended."""
    found = []
    for row, strip in enumerate(states.tolist()):
        start = 0
        for (state, _beyond), group in groupby((state, n >= trained) for n, state in enumerate(strip)):
            size = len(list(group))
            if size >= _MIN_LABEL * len(strip):
                x = start + size / 2 - 0.5
                found.append(
                    {
                        "text": words[state],
                        "x": x,
                        "xref": "x",
                        "y": row,
                        "yref": "y",
                        "showarrow": False,
                        "font": {"size": 13},
                    }
                )
            start += size
    return found
