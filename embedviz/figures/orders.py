"""Many orders of one sentence: a map with a point for each, and how far each is from each other one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _, ngettext
from embedviz.figures import theme
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure
from embedviz.text.visible import in_figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.vectors.orders import SentenceMap

_MOST_SAID, _MOST_BESIDE = 60, 22  # letters of a sentence
_WRITTEN, _OTHERS = "var(--accent)", theme.INK  # a token has its colour, and no sentence has one


def orders_figure(
    spread: "SentenceMap", texts: Sequence[str], next_words: Sequence[str], *, is_exact: bool, has_matrix: bool
) -> Figure:
    """The map and the matrix, which move as positions are added. The first sentence has a colour of its own.

    texts: the N sentences. next_words: what a model says after each of them, if it says anything. is_exact: whether
    the distances on the way follow from the added vectors; if not, they move evenly from start to end.
    has_matrix: whether there is room for the matrix, which there is not in large type.
    """
    largest = max(float(spread.before.max()), float(spread.after.max())) or 1.0
    colours = theme.sequential(largest, colorbar=theme.colour_bar(nticks=4))
    starts = how_many(spread.n_before, len(texts)), _("distances: all 0") if spread.n_before == 1 else ""
    panels = _map(spread, texts, next_words), _matrix(spread, texts, is_exact)
    meanwhile = _("each point is a sentence"), panels[1].title
    headings = [{"start": start, "text": text} for start, text in zip(starts, meanwhile, strict=True)]

    shown = range(1 + has_matrix)
    moving = [headings[n] | {"heading": n} for n in shown]
    return figure([panels[n] for n in shown], meta=LayoutMeta(bars="below", at_share=moving), coloraxis=colours)


def how_many(n_points: int, n_sentences: int) -> str:
    """What stands above the map, in which sentences that cannot be told apart are one point."""
    return ngettext(
        "{sentences} sentences, {n} point", "{sentences} sentences, {n} points", n_points, sentences=n_sentences
    )


def _map(spread: "SentenceMap", texts: Sequence[str], next_words: Sequence[str]) -> Panel:
    names = [str(n) for n in range(1, len(texts) + 1)]
    hover = [f"{name} {_shortened(text, _MOST_SAID)}" for name, text in zip(names, texts, strict=True)]
    if next_words:
        words = [in_figure(word) for word in next_words]
        names = [f"{name} → {word}" for name, word in zip(names, words, strict=True)]
        hover = [f"{text} → {word}" for text, word in zip(hover, words, strict=True)]
    colours = [_WRITTEN, *[_OTHERS] * (len(texts) - 1)]
    points = {
        "type": "scatter", "mode": "markers+text", "name": _("each point is a sentence"), "text": names,
        "hovertext": hover, "hoverinfo": "text",
        **theme.coordinates(spread.ends), "cliponaxis": False, "marker": {"size": 11, "color": colours},
        "textfont": {"size": 13, "color": colours},
        "meta": TraceMeta(ids=list(range(len(texts))), start=theme.coordinates(spread.starts), beside=True),
        "unselected": {"marker": {"opacity": 0.15}, "textfont": {"color": "rgba(128,128,128,0.25)"}},
    }  # fmt: skip
    every = np.concatenate([spread.starts, spread.ends])
    room = 0.12 * np.ptp(every, axis=0) + 1e-3
    spans = np.stack([every.min(axis=0) - room, every.max(axis=0) + room], axis=1).tolist()
    shares = zip(spread.explained, spans, strict=True)
    x, y = (theme.component_axis(n, share, span) for n, (share, span) in enumerate(shares))
    return Panel([points], x, y, how_many(spread.n_after, len(texts)), size=18, width=1.2, rem=20)


def _matrix(spread: "SentenceMap", texts: Sequence[str], is_exact: bool) -> Panel:
    ids = list(range(len(texts)))
    numbers = [str(k + 1) for k in ids]
    names = [f"{k}: {_shortened(text, _MOST_BESIDE)}" for k, text in zip(numbers, texts, strict=True)]
    start = {"type": "heatmap", "z": spread.before.astype(np.float32)}
    linked = TraceMeta(ids=ids, column_ids=ids, start=start)
    if is_exact:
        linked["apart"] = spread.added.astype(np.float32)
    hover = _("{row} and {column}<br>distance <b>{value}</b>", row="%{y}", column="%{x}", value="%{z:.4f}")
    trace = theme.heatmap(_("distances"), spread.after, hover, meta=linked, x=numbers, y=names, xgap=1, ygap=1)
    shared = {"grid": False, "type": "category", "ticks": ""}
    x = theme.axis(tickvals=numbers, tickangle=0, **shared)
    y = theme.axis(tickvals=names, autorange="reversed", tickfont={"size": 12}, ticklabelstandoff=4, **shared)
    return Panel([trace], x, y, _("distances"), rem=22)


def _shortened(text: str, most: int) -> str:
    """A whole sentence, in which a space is a space."""
    return in_figure(text, most).replace("␣", " ")
