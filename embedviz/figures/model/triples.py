"""How near sentences are to two other orders of their words: two dots for each, and a line between them."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.layers.triples import Likeness, Triple

_PICKED = "var(--accent)"
_WIDTHS = {False: 1.0, True: 2.5}  # of a line, by whether the other meaning is nearer


def triples_figure(likeness: "Likeness", triples: Sequence["Triple"], at: int) -> Figure:
    """For each sentence two dots, its cosine with the order that means the same and with the other one, and a line.

    Sentences whose other meaning is nearer stand above, and their lines are dark. How near unrelated sentences are is
    written at the left, where they would be. at: the triple that is picked, from 0, whose dots have their own colour.
    """
    order = np.argsort(likeness.same - likeness.other, kind="stable")  # (K,)
    height = np.empty(len(order), np.float32)
    height[order] = np.arange(len(order))
    drawn = partial(_dots, triples=triples, height=height, at=at)
    same = drawn(_("same meaning"), likeness.same, [each.same for each in triples], symbol="circle")
    other = drawn(_("another meaning"), likeness.other, [each.other for each in triples], symbol="diamond")
    lines = [_lines(likeness, height, likeness.is_reversed == is_nearer, width) for is_nearer, width in _WIDTHS.items()]
    means = [
        _("{name}: {mean} on average", name=f"{sign} {dots['name']}", mean=in_print(float(dots["x"].mean()), ".3f"))
        for sign, dots in (("●", same), ("◆", other))
    ]
    apart = in_print(float(likeness.apart.mean()), ".3f")
    unrelated = "← " + _("{name}: {mean} on average", name=_("unrelated sentences"), mean=apart)
    low = float(min(likeness.same.min(), likeness.other.min(), 0.995))
    x = theme.axis(_("cosine of the sentence vectors"), range=[low - 0.08 * (1 - low), 1 + 0.02 * (1 - low)], nticks=6)
    y = theme.axis(grid=False, showticklabels=False, ticks="", range=[len(triples) + 0.8, -1])
    note = {
        "text": unrelated, "xref": "x domain", "x": 0, "xanchor": "left", "yref": "y domain", "y": 0,
        "yanchor": "bottom", "showarrow": False, "font": {"size": 14, "color": theme.FAINT},
    }  # fmt: skip
    return figure([Panel([*lines, same, other], x, y, " · ".join(means), means[0], notes=[note], rem=24)])


def _lines(likeness: "Likeness", height: np.ndarray, which: np.ndarray, width: float) -> dict:
    """A line between both dots of each of these sentences, as one trace with gaps."""
    gap = np.full(int(which.sum()), np.nan, np.float32)
    x = np.stack([likeness.same[which], likeness.other[which], gap], axis=1).ravel()
    y = np.stack([height[which], height[which], gap], axis=1).ravel()
    return theme.curve(_("both orders"), x, y, line={"color": theme.INK if width > 1 else theme.FAINT, "width": width})


def _dots(
    name: str,
    values: np.ndarray,
    texts: Sequence[str],
    *,
    triples: Sequence["Triple"],
    height: np.ndarray,
    at: int,
    symbol: str,
) -> dict:
    """A dot for each sentence at its height. texts: the orders that are compared with it."""
    numbers = range(len(values))
    compared = [f"{in_print(value, '.3f')} {text}" for value, text in zip(values.tolist(), texts, strict=True)]
    return {
        "type": "scatter", "mode": "markers", "name": name, "cliponaxis": False, "hoverinfo": "text",
        "x": values, "y": height, "meta": TraceMeta(ids=[*numbers]),
        "hovertext": [f"{triple.sentence}<br>{text}" for triple, text in zip(triples, compared, strict=True)],
        "marker": {
            "size": [13 if n == at else 9 for n in numbers], "symbol": symbol, "line": {"width": 0},
            "color": [_PICKED if n == at else theme.INK for n in numbers],
        },
        "unselected": {"marker": {"opacity": 0.12}},
    }  # fmt: skip
