"""Distances between the tokens of A and those of B: of their vectors, and of what attention makes of them."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, told, translated
from embedviz.figures import theme
from embedviz.figures.axes import MAX_LABELS, cell_frames, sentence_names, token_matrix
from embedviz.figures.figure import Figure, figure

_TITLES = ((N_("before: token vectors"), N_("before")), (N_("after: input vectors"), N_("after")))
_MAX_NUMBERS = 14  # rows or columns with numbers in them, of two matrices
_MOST_OF_THREE = 8  # of one that has two others beside it
_MAX_NAMES = 12  # of rows, which are as high as this figure has room for


def distance_matrices(
    before: np.ndarray,
    after: np.ndarray,
    shared: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    *,
    titles: Sequence[str] = (),
) -> Figure:
    """Two matrices on one scale that starts at zero; a frame marks pairs that share a token ID.

    before, after: Euclidean distances, arrays of shape (T_A, T_B). shared: bool array of the same shape. titles: of
    other matrices than these two.
    """
    limit = max(float(before.max(initial=0)), float(after.max(initial=0))) or 1.0
    names = [(told(_("distances"), title), title) for title in titles] or [[*map(translated, each)] for each in _TITLES]
    panels = [
        token_matrix(
            matrix, sentence_names(texts), ids, _("distance"), title=title, short=short,
            colours=theme.token_colours([*ids[0], *ids[1]]), shapes=cell_frames(shared),
            numbers="%{z:.1f}" if max(before.shape, default=0) <= _MAX_NUMBERS else None, most=_MAX_NAMES, rem=20,
        )
        for matrix, (title, short) in zip((before, after), names, strict=True)
    ]  # fmt: skip
    return figure(panels, once=["y"], coloraxis=theme.sequential(limit, colorbar=theme.colour_bar(nticks=4)))


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
    names = [sentence_names(texts)[0], [f"B{n}" for n in range(len(ids[1]))]]  # a framed column has the row's token
    panel = token_matrix(
        values, names, ids, _("distance"), title="",
        name=_("distance of outputs"), colours=theme.token_colours([*ids[0], *ids[1]]),
        shapes=cell_frames(shared) if max(values.shape) <= MAX_LABELS else (),
        numbers="%{z:.1f}" if max(values.shape) <= _MOST_OF_THREE else None,
    )  # fmt: skip
    marks = {0.0: _("the same")} | ({} if unrelated is None else {unrelated: _("other tokens")})
    bar = theme.colour_bar(tickvals=list(marks), ticktext=list(marks.values()), tickangle=0)
    scale = theme.sequential(most, colorbar=bar)
    return figure([panel], coloraxis=scale, plot_bgcolor=theme.GRID, meta={"bars": "below"})
