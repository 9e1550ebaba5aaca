"""The scores or weights of one phrase at the start of a text and later in it, under several schemes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import token_matrix
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 12
_SECONDS = 3.0
# The claim is in the signs, and they have the colours of the cards that say what differs and what is the same.
_SIGN_COLOURS = {"≠": "var(--accent)", "=": theme.FAINT}
_SIGN_SIZE = 56
_APART = 5  # the two matrices of a scheme are closer to each other than to those of another one


@dataclass(frozen=True)
class Shifted:
    """What becomes of a phrase's scores, or of its weights, under one scheme.

    title: its name. here: those at the start of the text, float32 (T, T), NaN if there are none. way: those at
    each place on the way to where the phrase stands now, (P, T, T). stays: whether the last of them are those at the
    start, up to rounding; None if the scheme has no such position.
    """

    title: str
    here: np.ndarray
    way: np.ndarray
    stays: bool | None


def shifted(parts: Sequence[Shifted], places: Sequence[int], ids: Sequence[int], texts: Sequence[str]) -> Figure:
    """Two matrices a scheme. The second ones pass through all places, (P,): how many tokens stand before it."""
    tokens = [f"{n} {in_figure(text)}" for n, text in enumerate(texts)], ids
    largest = max((float(np.nanmax(np.abs(part.way), initial=0)) for part in parts), default=0.0) or 1.0
    names = [_("{n:,} later", n=place) for place in places]
    pairs = [_pair(part, tokens, names[-1]) for part in parts]
    panels = [*pairs[0], *(panel for first, second in pairs[1:] for panel in (replace(first, gap=_APART), second))]
    bars = LayoutMeta(bars="below")
    plays = LayoutMeta(plays=_SECONDS, names=names, headings=[2 * n + 1 for n in range(len(parts))])
    return figure(
        panels,
        columns=(0, 2),
        once=["y"],
        meta=bars | plays if len(places) > 2 else bars,
        coloraxis=theme.scale_of((part.way for part in parts), largest, 2),
    )


def _pair(part: Shifted, tokens: tuple[Sequence[str], Sequence[int]], later: str) -> tuple[Panel, Panel]:
    sign = "" if part.stays is None else "=" if part.stays else "≠"
    first, second = (
        _panel(part.here, f"<b>{part.title}</b>", part, tokens),
        _panel(part.way[-1], later, part, tokens, sign),
    )
    if len(part.way) > 2:  # there is a way between the two ends
        second.traces[0]["meta"] |= TraceMeta(frames={"z": part.way.reshape(len(part.way), -1).astype(np.float32)})
    return first, second


def _panel(
    scores: np.ndarray, title: str, part: Shifted, tokens: tuple[Sequence[str], Sequence[int]], sign: str = ""
) -> Panel:
    names, ids = tokens
    hover = _(
        "{title}<br>query {query}, key {key}: <b>{value}</b>",
        title=part.title, query="%{y}", key="%{x}", value="%{z:.4f}",
    )  # fmt: skip
    ended = {"text": _("the table ended"), "xref": "x domain", "x": 0.5, "yref": "y domain", "y": 0.5}
    return token_matrix(
        scores, [names] * 2, [ids] * 2, "", hover=hover, title=title, name=f"{part.title} {title}", rem=13,
        sign=sign, sign_colour=_SIGN_COLOURS.get(sign, theme.INK), sign_size=_SIGN_SIZE,
        most=_MAX_LABELS, numbers="%{z:.2f}", notes=[ended | {"showarrow": False}] if np.isnan(scores).any() else [],
    )  # fmt: skip
