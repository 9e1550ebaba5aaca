"""Who sees whom with a sliding window, and how far that reaches through layers."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import sentence_names, token_matrix
from embedviz.figures.figure import Figure, Panel, figure

_MOST_NUMBERS = 16  # rows with numbers in their cells, for numbers of one or two digits
_MOST_WEIGHTS = 10  # the same for weights, which have two decimals


def window_maps(
    weights: np.ndarray, needed: np.ndarray, n_layers: int, ids: Sequence[int], texts: Sequence[str]
) -> Figure:
    """Two panels: the weights of one head, (T, T), NaN where they are hidden, and the layers that a token needs.

    needed: through how many layers token j reaches token i, (T, T), negative where it never does. What takes more than
    n_layers stays grey and has its number all the same. Rows are the tokens that look, columns those that are seen.
    """
    counts = np.where(needed < 0, np.nan, needed).astype(np.float32)
    near, far = (np.where(which, counts, np.float32("nan")) for which in (counts <= n_layers, counts > n_layers))
    kind = {"what": _("layers"), "numbers": "%{z:d}" if len(needed) <= _MOST_NUMBERS else None}
    grey = {"zmin": 0, "zmax": 1, "colorscale": [[0, theme.GRID], [1, theme.GRID]]}
    own = _panel(_("weights in one layer"), weights, ids, texts)
    heard = _panel(_("layers until it arrives"), near, ids, texts, scale="coloraxis2", **kind)
    later = _panel(_("needs more layers"), far, ids, texts, scale=grey, **kind)
    heard.traces.append(later.traces[0] | {"textfont": {"color": theme.INK}})
    ticks = list(range(0, n_layers + 1, -(-n_layers // 4)))
    counts = theme.colour_bar(tickvals=ticks, ticktext=[*map(str, ticks)])
    return figure(
        [own, heard],
        coloraxis=theme.sequential(1.0, colorbar=theme.colour_bar(nticks=4)),
        coloraxis2=theme.sequential(float(n_layers), colorbar=counts),
        plot_bgcolor=theme.GRID,  # shows where nothing is seen
        meta={"bars": "below"},
    )


def _panel(title: str, values: np.ndarray, ids: Sequence[int], texts: Sequence[str], **more: object) -> Panel:
    """A panel of weights, unless `more` says what else."""
    names, what = sentence_names([texts]) * 2, more.pop("what", None) or _("weight")
    usual = {"numbers": "%{z:.2f}" if len(values) <= _MOST_WEIGHTS else None, "rem": 22}
    return token_matrix(values, names, [ids, ids], what, title=title, **usual | more)
