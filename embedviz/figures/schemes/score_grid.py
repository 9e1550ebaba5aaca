"""Score matrices of one sentence under every scheme, as small panels that share one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import token_matrix
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 8
_MOST_COLUMNS = 6


@dataclass(frozen=True)
class ScorePanel:
    """The panel of one scheme: scores of shape (T, T), all NaN if there are none, its title, and what it changes."""

    title: str
    changes: str
    scores: np.ndarray


def score_grid(panels: Sequence[ScorePanel], ids: Sequence[int], texts: Sequence[str]) -> Figure:
    """A panel for each scheme, and the colour bar in the last place of the grid. Rows are queries, columns are keys.

    The colours end at the second largest of the panels' largest scores, so that one panel of far larger
    scores (a steep ALiBi over a long sentence) does not make the rest pale.
    """
    names = [f"{n} {in_figure(text)}" for n, text in enumerate(texts)]
    limit = _limit(panels)
    bar = {"orientation": "h", "thickness": 10, "outlinewidth": 0, "title": {"text": _("score"), "side": "top"}}
    n_rows = max(2, ceil((len(panels) + 1) / _MOST_COLUMNS))  # the bar has the last place
    return figure(
        [_panel(panel, names, ids) for panel in panels],
        columns=(ceil((len(panels) + 1) / n_rows), 2),
        once=["x", "y"],
        meta={"spare": "coloraxis"},
        coloraxis=theme.diverging(limit, colorbar={**bar, "tickangle": 0, **theme.from_zero(limit, 2)}),
    )


def _limit(panels: Sequence[ScorePanel]) -> float:
    largest = sorted(float(np.abs(panel.scores).max()) for panel in panels if not np.isnan(panel.scores).any())
    return (largest[-2:] or [1.0])[0] or 1.0


def _panel(panel: ScorePanel, names: Sequence[str], ids: Sequence[int]) -> Panel:
    hover = _(
        "{title}<br>query {query}, key {key}<br>score <b>{value}</b>",
        title=panel.title, query="%{y}", key="%{x}", value="%{z:.4f}",
    )  # fmt: skip
    ended = {"text": _("the table ended"), "xref": "x domain", "x": 0.5, "yref": "y domain", "y": 0.5}
    title = f"<b>{panel.title}</b>"
    return token_matrix(
        panel.scores, [names, names], [ids, ids], hover, title=f"{title}<br>{panel.changes}", short=title,
        name=panel.title, most=_MAX_LABELS, gap=0, size=13, rem=12.4,
        notes=[ended | {"showarrow": False}] if np.isnan(panel.scores).any() else [],
    )  # fmt: skip
