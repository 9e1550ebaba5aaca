"""Many orders of one sentence: a map with a point for each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _, ngettext
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure
from embedviz.text.visible import in_figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.vectors.orders import SentenceMap

_MOST_SAID = 60  # letters of a sentence
_WRITTEN, _OTHERS = "var(--accent)", theme.INK  # a token has its colour, and no sentence has one


def orders_figure(spread: "SentenceMap", texts: Sequence[str], next_words: Sequence[str]) -> Figure:
    """The map, whose points move as positions are added. The first sentence has a colour of its own.

    texts: the N sentences. next_words: what a model says after each of them, if it says anything.
    """
    return figure([_map(spread, texts, next_words)])


def how_many(n_points: int, n_sentences: int) -> str:
    """What is said of the map, in which sentences that cannot be told apart are one point."""
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
    return Panel([*_one_point(spread), points], x, y, rem=20)


def _one_point(spread: "SentenceMap") -> list[dict]:
    """A ring around the point that all sentences are without positions, which stays where they have left it."""
    if spread.n_before > 1 or spread.n_after == 1:
        return []
    return [{
        "type": "scatter", "mode": "markers+text", "text": [_("Without positions")], "hoverinfo": "skip",
        **theme.coordinates(spread.starts[:1]), "cliponaxis": False,
        "marker": {"symbol": "circle-open", "size": 22, "color": theme.INK, "line": {"width": 2}},
        "textfont": {"size": 14, "color": theme.INK}, "meta": TraceMeta(beside=True),
    }]  # fmt: skip


def _shortened(text: str, most: int) -> str:
    """A whole sentence, in which a space is a space."""
    return in_figure(text, most).replace("␣", " ")
