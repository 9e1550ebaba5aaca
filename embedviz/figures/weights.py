"""Which tokens attend to which tokens in two sentences, and how far apart their outputs are."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.axes import MAX_LABELS, cell_frames, sentence_names, token_matrix
from embedviz.figures.figure import Figure, Panel, figure

_TITLES = (N_("A: attention weights"), N_("B: attention weights"))
_MAX_NUMBERS = 8


def head_maps(
    weights: Sequence[np.ndarray],
    framed: Sequence[np.ndarray],
    *,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    colour_order: Sequence[int],
) -> Figure:
    """A head's weights over A and over B, (T, T), NaN where a mask hides a token. framed: cells in question, bool."""
    panels = weight_panels(
        weights, ids, texts, [translated(title) for title in _TITLES], colour_order=colour_order, rem=21
    )
    panels = [replace(panel, shapes=cell_frames(cells)) for panel, cells in zip(panels, framed, strict=True)]
    scale = theme.sequential(1.0, colorbar=theme.colour_bar(nticks=4))
    return figure(panels, coloraxis=scale, plot_bgcolor=theme.GRID, meta={"bars": "below"})


def weight_panels(
    weights: Sequence[np.ndarray],
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    titles: Sequence[str],
    *,
    colour_order: Sequence[int],
    rem: float = 19.3,
) -> list[Panel]:
    """The weights of a head over A and over B, (T, T) each, with numbers where there is room for them."""
    weight = _("weight")
    colours, hover = theme.token_colours(colour_order), f"%{{y}}, %{{x}}<br>{weight} <b>%{{z:.4~g}}</b>"
    return [
        token_matrix(values, [names, names], [own, own], hover, title=title, colours=colours,
                     numbers="%{z:.2f}" if len(values) <= _MAX_NUMBERS else None, rem=rem)
        for values, names, own, title in zip(weights, sentence_names(texts), ids, titles, strict=True)
    ]  # fmt: skip


def copies_map(
    distances: np.ndarray,
    shared: np.ndarray,
    unrelated: float | None,
    most: float,
    *,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
) -> Figure:
    """How far A's tokens (rows) and their copies in B are apart, (T_A, T_B). unrelated: a mark beside the colours."""
    values = np.where(shared, distances, np.float32("nan"))
    said = _("distance")
    names = [sentence_names(texts)[0], [f"B{n}" for n in range(len(ids[1]))]]  # a framed column has the row's token
    hover = f"%{{y}}, %{{x}}<br>{said} <b>%{{z:.4~g}}</b>"
    panel = token_matrix(
        values, names, ids, hover, title="",
        name=_("distance of outputs"), colours=theme.token_colours([*ids[0], *ids[1]]),
        shapes=cell_frames(shared) if max(values.shape) <= MAX_LABELS else (),
        numbers="%{z:.1f}" if max(values.shape) <= _MAX_NUMBERS else None,
    )  # fmt: skip
    marks = {0.0: _("0, the same")} | ({} if unrelated is None else {unrelated: _("other tokens")})
    bar = theme.colour_bar(tickvals=list(marks), ticktext=list(marks.values()))
    scale = theme.sequential(most, colorbar=bar)
    return figure([panel], coloraxis=scale, plot_bgcolor=theme.GRID, meta={"bars": "below"})
