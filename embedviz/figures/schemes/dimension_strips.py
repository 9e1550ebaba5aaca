"""Which dimensions of a head are turned, in several models, as strips drawn to scale."""

from collections.abc import Mapping

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_TURNED, _STILL = "var(--token-0)", "var(--faint)"


def dimension_strips(turned: Mapping[str, np.ndarray]) -> Figure:
    """One row a model: which of its head's dimensions are turned, bool (D,), and nothing beyond the head."""
    names, widest = list(turned), max(map(len, turned.values()))
    rows = np.full((len(names), widest), np.nan, np.float32)
    for row, each in zip(rows, turned.values(), strict=True):
        row[: len(each)] = each
    said = np.where(np.isnan(rows), "", np.where(rows > 0, _("turned"), _("not turned")))
    scale = {"zmin": 0, "zmax": 1, "colorscale": [[0, _STILL], [0.5, _STILL], [0.5, _TURNED], [1, _TURNED]]}
    hover = _("{model}, dimension {n}: {what}", model="%{y}", n="%{x}", what="%{text}")
    trace = theme.heatmap(_("dimensions of a head"), rows, hover, scale, y=names, opacity=0.75, text=said.tolist())
    x = theme.axis(_("dimension"), grid=False, range=[-0.5, widest - 0.5])
    y = theme.axis(grid=False, autorange="reversed", type="category", tickvals=names, ticks="", tickfont={"size": 14})
    turned_name = _("Turned")
    title = _("{turned}, and left as they are", turned=f'<span style="color:{_TURNED}">{turned_name}</span>')
    return figure([Panel([trace], x, y, title, is_left=True, rem=14, shapes=theme.row_separators(len(names), 12))])
