"""How near sentences are to other orders of their words, and to other sentences: a dot for each, in three rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.layers.triples import Likeness, Triple

_PICKED = "var(--accent)"


@dataclass(frozen=True)
class _Row:
    """Cosines (K,), each of a sentence, by its number, with a text."""

    name: str
    values: np.ndarray
    numbers: Sequence[int]
    texts: Sequence[str]


def triples_figure(likeness: "Likeness", triples: Sequence["Triple"], at: int) -> Figure:
    """Cosines with the same meaning above those with another, and above those of unrelated sentences, on one ruler.

    A line marks the mean of each row. at: the triple that is picked, from 0, whose dots have a colour of their own.
    """
    sentences, numbers = [each.sentence for each in triples], range(len(triples))
    # Each sentence with each other one, at its own height as in the rows above.
    one, another = np.nonzero(~np.eye(len(triples), dtype=bool))
    rows = [
        _Row(_("same meaning"), likeness.same, numbers, [each.same for each in triples]),
        _Row(_("another meaning"), likeness.other, numbers, [each.other for each in triples]),
        _Row(_("unrelated sentences"), likeness.apart, one.tolist(), [sentences[n] for n in another]),
    ]
    low = min(0.0, *(float(row.values.min()) for row in rows))
    panels = [_panel(row, sentences, at, low) for row in rows]
    for panel in panels[:-1]:
        panel.x["showticklabels"] = False
    return figure(panels, columns=(1, 1), once=["title"])


def _panel(row: _Row, sentences: Sequence[str], at: int, low: float) -> Panel:
    is_order = len(row.values) == len(sentences)  # of which each sentence has one
    mean = float(row.values.mean())
    compared = [f"{in_print(value, '.3f')} {text}" for value, text in zip(row.values.tolist(), row.texts, strict=True)]
    marks = (7, 11, 1.0, theme.INK) if is_order else (5, 5, 0.5, theme.FAINT)  # of the many the edges alone are seen
    size, of_picked, opacity, colour = marks
    dots = {
        "type": "scatter", "mode": "markers", "name": row.name, "cliponaxis": False, "hoverinfo": "text",
        "x": row.values, "y": np.array(row.numbers, np.float32), "meta": TraceMeta(ids=[*row.numbers]),
        "hovertext": [f"{sentences[n]}<br>{text}" for n, text in zip(row.numbers, compared, strict=True)],
        "marker": {
            "size": [of_picked if n == at else size for n in row.numbers], "opacity": opacity, "line": {"width": 0},
            "color": [_PICKED if n == at else colour for n in row.numbers],
        },
        "unselected": {"marker": {"opacity": 0.12}},
    }  # fmt: skip
    short = _("{name}: {mean} on average", name=row.name, mean=in_print(mean, ".3f"))
    title = f"{short} · {theme.coloured(compared[at], _PICKED)}" if is_order else short
    x = theme.axis(_("cosine of the sentence vectors"), range=[low - 0.02, 1.02], dtick=0.2)
    y = theme.axis(grid=False, showticklabels=False, ticks="", range=[len(sentences), -1])
    line = theme.upright(mean, line={"width": 2, "color": theme.INK})
    return Panel([dots], x, y, title, short, shapes=[line], rem=8)
