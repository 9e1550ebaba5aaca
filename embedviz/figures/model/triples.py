"""How near sentences are to two other orders of their words: two dots for each, and a line between them."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure, line_end

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.layers.triples import Likeness, Triple

_OTHER = "var(--accent)"  # the colour of what differs
_ROUNDING = 1e-5  # of a cosine
_WIDTHS = {False: 1.0, True: 2.5}  # of a line, by whether the other meaning is nearer


def triples_figure(likeness: "Likeness", triples: Sequence["Triple"], at: int) -> Figure:
    """For each sentence two dots, its cosine with the order that means the same and with the other one, and a line.

    Sentences whose other meaning is nearer stand above, and their lines are dark. If there are others too, a line
    parts both groups, which say how many they are. How near unrelated sentences are is written at the left, where they
    would be. at: the triple that is picked, from 0, whose dots are larger and dark.
    """
    order = np.argsort(likeness.same - likeness.other, kind="stable")  # (K,)
    n_other, n_same = int(likeness.is_reversed.sum()), int((likeness.same > likeness.other).sum())
    # Without positions, all orders are one to an encoder, and rounding alone would part them.
    is_parted = bool(n_other and n_same) and float(np.abs(likeness.same - likeness.other).max()) > _ROUNDING
    height = np.empty(len(order), np.float32)
    height[order] = np.arange(len(order)) + is_parted * (np.arange(len(order)) >= n_other)  # a row for the line
    drawn = partial(_dots, triples=triples, height=height, at=at)
    same = drawn(_("same meaning"), likeness.same, [each.same for each in triples], symbol="circle", colour=theme.FAINT)
    other = drawn(
        _("another meaning"), likeness.other, [each.other for each in triples], symbol="diamond", colour=_OTHER
    )
    lines = [_lines(likeness, height, likeness.is_reversed == is_nearer, width) for is_nearer, width in _WIDTHS.items()]
    means = [
        _(
            "{name}: {mean} on average",
            name=f"{theme.coloured(sign, colour)} {dots['name']}",
            mean=in_print(float(dots["x"].mean()), ".3f"),
        )
        for sign, colour, dots in (("●", theme.FAINT, same), ("◆", _OTHER, other))
    ]
    apart = in_print(float(likeness.apart.mean()), ".3f")
    unrelated = "← " + _("{name}: {mean} on average", name=_("unrelated sentences"), mean=apart)
    low = float(min(likeness.same.min(), likeness.other.min(), 0.995))
    x = theme.axis(_("cosine of the sentence vectors"), range=[low - 0.08 * (1 - low), 1 + 0.02 * (1 - low)], nticks=6)
    # Below the lowest row is room for the note, in large type too.
    y = theme.axis(grid=False, showticklabels=False, ticks="", range=[float(height.max()) + 5, -1])
    note = {
        "text": unrelated, "xref": "x domain", "x": 0, "xanchor": "left", "yref": "y domain", "y": 0,
        "yanchor": "bottom", "showarrow": False, "font": {"size": 14, "color": theme.FAINT},
    }  # fmt: skip
    notes, shapes = [note], []
    if is_parted:
        shapes = [theme.across(n_other, line={"width": 1, "color": theme.FAINT})]
        names = _("{n}: another meaning nearer", n=n_other), _("{n}: same meaning nearer", n=n_same)
        notes += [
            line_end(names[0], n_other - 1, theme.INK) | {"short": str(n_other)},
            line_end(names[1], n_other + 1, theme.FAINT) | {"short": str(n_same)},
        ]
    panel = Panel([*lines, same, other], x, y, " · ".join(means), means[0], rem=24, notes=notes, shapes=shapes)
    return figure([panel])


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
    colour: str,
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
            "color": [theme.INK if n == at else colour for n in numbers],
        },
        "unselected": {"marker": {"opacity": 0.12}},
    }  # fmt: skip
