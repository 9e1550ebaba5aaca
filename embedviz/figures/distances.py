"""Distances between what attention makes of the tokens of A and of those of B."""

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import MAX_LABELS, cell_frames, sentence_names, token_matrix
from embedviz.figures.figure import Figure, LayoutMeta, figure

_MOST_OF_THREE = 8  # of one that has two others beside it


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
        values, names, ids, _("distance"), title=_("distance of outputs"),
        colours=theme.token_colours([*ids[0], *ids[1]]),
        shapes=cell_frames(shared) if max(values.shape) <= MAX_LABELS else (),
        numbers="%{z:.1f}" if max(values.shape) <= _MOST_OF_THREE else None,
    )  # fmt: skip
    marks = {0.0: _("the same")} | ({} if unrelated is None else {unrelated: _("other tokens")})
    bar = theme.colour_bar(tickvals=list(marks), ticktext=list(marks.values()), tickangle=0)
    scale = theme.sequential(most, colorbar=bar)
    return figure([panel], coloraxis=scale, plot_bgcolor=theme.GRID, meta=LayoutMeta(bars="below"))
