"""Who sees whom with a sliding window, how far that reaches through layers, and where weights go with a sink."""

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
    kind = {"what": _("layers"), "numbers": "%{z:d}" if len(needed) <= _MOST_NUMBERS else None, "rem": 22}
    grey = {"zmin": 0, "zmax": 1, "colorscale": [[0, theme.GRID], [1, theme.GRID]]}
    own = _panel(_("weights in one layer"), weights, ids, texts, rem=22)
    heard = _panel(_("layers until it is heard"), near, ids, texts, scale="coloraxis2", **kind)
    later = _panel(_("farther than these layers"), far, ids, texts, scale=grey, **kind)
    heard.traces.append(later.traces[0] | {"textfont": {"color": theme.INK}})
    return _figure([own, heard], max(n_layers, 1))


def sink_maps(
    weights: tuple[np.ndarray, np.ndarray, np.ndarray], sums: np.ndarray, ids: Sequence[int], texts: Sequence[str]
) -> Figure:
    """Three panels of weights, (T, T) each, NaN where they are hidden: a window alone, first tokens kept, a sink.

    sums: what the weights of each token sum to beside the learned sink, (T,). The third panel has them in a column,
    and what the sink takes in another.
    """
    alone, kept, learned = weights
    with_sums = np.column_stack([learned, sums, 1 - sums]).astype(np.float32)
    more, numbers = (_("sum"), _("sink")), _two_decimals(with_sums)
    end = len(sums) - 0.5  # of the tokens; a line stands there
    place = {"xref": "x", "x0": end, "x1": end, "yref": "y domain", "y0": 0, "y1": 1}
    panels = [
        _panel(_("window alone"), alone, ids, texts, numbers=numbers, rem=19.3),
        _panel(_("first tokens kept"), kept, ids, texts, numbers=numbers, rem=19.3),
        _panel(
            _("learned sink"), with_sums, ids, texts, numbers=numbers, more=more, rem=19.3,
            shapes=[{"type": "line", "line": {"color": theme.SURFACE, "width": 6}, **place}],
        ),
    ]  # fmt: skip
    return _figure(panels, 1, once=["y"])


def _two_decimals(weights: np.ndarray) -> str | None:
    return "%{z:.2f}" if weights.shape[1] <= _MOST_WEIGHTS else None


def _panel(title: str, values: np.ndarray, ids: Sequence[int], texts: Sequence[str], **more: object) -> Panel:
    """A panel of weights, unless `more` says what else. A column is as wide in all panels."""
    names, what = sentence_names([texts]) * 2, more.pop("what", None) or _("weight")
    usual = {"numbers": _two_decimals(values), "width": values.shape[1]}
    hover = f"%{{y}}, %{{x}}<br>{what} <b>%{{z:.4~g}}</b>"
    return token_matrix(values, names, [ids, ids], hover, title=title, **usual | more)


def _figure(panels: Sequence[Panel], most: int, **more: object) -> Figure:
    ticks = list(range(0, most + 1, -(-most // 4)))
    counts = theme.colour_bar(tickvals=ticks, ticktext=[*map(str, ticks)])
    return figure(
        panels,
        coloraxis=theme.sequential(1.0, colorbar=theme.colour_bar(nticks=4)),
        coloraxis2=theme.sequential(float(most), colorbar=counts),
        plot_bgcolor=theme.GRID,  # shows where nothing is seen
        **more,
    )
