"""Texts longer than trained: what each scheme has for every position or distance, and the angles of RoPE's pairs."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.figures.schemes.pair_charts import PairChart, pair_panel

_COLOURS = (theme.GRID, "var(--token-2)", "var(--token-0)", "var(--token-1)", "var(--token-3)", theme.FAINT)


def longer_texts(
    title: str,
    states: Mapping[str, np.ndarray],
    words: Sequence[str],
    places: np.ndarray,
    trained: int,
    *,
    pairs: PairChart,
) -> Figure:
    """A strip for each name, and RoPE's pairs. states: by name, 0 to 5 for each place, (N,). words: for each state."""
    return figure([_strips(title, states, words, places, trained), pair_panel(pairs)])


def _strips(
    title: str, states: Mapping[str, np.ndarray], words: Sequence[str], places: np.ndarray, trained: int
) -> Panel:
    names, rows, length = list(states), np.stack([*states.values()]), int(places[-1]) + 1
    scale = [[(n + side) / len(_COLOURS), colour] for n, colour in enumerate(_COLOURS) for side in (0, 1)]
    trace = theme.heatmap(
        _("what each position is, by scheme"), rows, _("{scheme}, {n} away or at {n}", scheme="%{y}", n="%{x}"),
        {"zmin": -0.5, "zmax": len(_COLOURS) - 0.5, "colorscale": scale}, x=places.tolist(), y=names, opacity=0.45,
    )  # fmt: skip
    x = theme.axis(_("position, or distance back"), grid=False, range=[-0.5, length - 0.5], nticks=5, tickformat=",d")
    ticks = {"type": "category", "ticks": "", "tickfont": {"size": 14}, "tickvals": names}
    y = theme.axis(grid=False, autorange="reversed", **ticks)
    end = theme.upright(trained - 0.5, y1=1.02, line={"color": theme.INK, "width": 2})
    shapes = [*theme.row_separators(len(names), 5), *([end] if trained < length else [])]
    return Panel([trace], x, y, title, is_left=True, rem=20, notes=_words(rows, words, places, trained), shapes=shapes)


def _words(states: np.ndarray, words: Sequence[str], places: np.ndarray, trained: int) -> list[dict]:
    """The name of each stretch, which the page shows if it has room. It ends at the line too, where training ended."""
    found = []
    for row, strip in enumerate(states.tolist()):
        start = 0
        for (state, _beyond), group in groupby(zip(strip, (places >= trained).tolist(), strict=True)):
            end = start + len(list(group))
            x, span = float(places[start] + places[end - 1]) / 2, (end - start) / len(strip)
            place = {"x": x, "xref": "x", "y": row, "yref": "y", "showarrow": False, "font": {"size": 13}}
            found.append({"role": "inside", "text": words[state], "span": span, **place})
            start = end
    return found
