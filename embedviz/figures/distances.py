"""Distances between the tokens of A and those of B, before and after positions are added."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.axes import cell_frames, sentence_names, token_matrix
from embedviz.figures.figure import Figure, figure

_TITLES = ((N_("before: token vectors"), N_("before")), (N_("after: input vectors"), N_("after")))
_MAX_NUMBERS = 14
_MAX_NAMES = 12  # of rows, which are as high as this figure has room for


def distance_matrices(
    before: np.ndarray,
    after: np.ndarray,
    shared: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    *,
    positions: np.ndarray | None = None,
    titles: Sequence[str] = (),
) -> Figure:
    """Two matrices on one scale that starts at zero; a frame marks pairs that share a token ID.

    before, after: Euclidean distances, arrays of shape (T_A, T_B). shared: bool array of the same shape. positions:
    the distances between the added vectors, from which the page computes the distances on the way from before to
    after; without them nothing moves. titles: of other matrices than these two.
    """
    limit = max(float(before.max(initial=0)), float(after.max(initial=0))) or 1.0
    names = [(title, title) for title in titles] or [[*map(translated, each)] for each in _TITLES]
    panels = [
        token_matrix(
            matrix, sentence_names(texts), ids, _("distance"), title=title, short=short,
            colours=theme.token_colours([*ids[0], *ids[1]]), shapes=cell_frames(shared),
            numbers="%{z:.1f}" if max(before.shape, default=0) <= _MAX_NUMBERS else None, most=_MAX_NAMES, rem=20,
        )
        for n, (matrix, (title, short)) in enumerate(zip((before, after), names, strict=True))
    ]  # fmt: skip
    if positions is not None:
        panels[1].traces[0]["meta"] |= {"start_trace": 0, "apart": positions.astype(np.float32)}
    moving = {"heading": 1, "text": _("with {share} % of the position added", share="{}"), "short": "{} %"}
    return figure(
        panels,
        once=["y"],
        meta={"at_share": moving},
        coloraxis=theme.sequential(limit, colorbar=theme.colour_bar(nticks=4)),
    )
