"""Who sees whom with a sliding window, how far that reaches through layers, and where weights go with a sink."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import in_order, sentence_names, token_axis
from embedviz.figures.theme import Figure

_MOST_NUMBERS = 16  # rows with numbers in their cells, for numbers of one or two digits
_MOST_WEIGHTS = 10  # the same for weights, which have two decimals
_BELOW = 0.125  # on a phone, the share of the height between panels, which stand one above the other
_HEAD, _FOOT = 30, 74  # px above and below the panels


@dataclass(frozen=True)
class _Panel:
    """A panel: values, float32 (T, C), NaN where there are none. more: the names of columns after the T tokens.

    faint: numbers to write on grey cells, float32 (T, C), NaN elsewhere.
    """

    title: str
    values: np.ndarray
    what: str
    numbers: str | None = None
    scale: str = "coloraxis"
    more: tuple[str, ...] = ()
    faint: np.ndarray | None = None


def window_maps(
    weights: np.ndarray, needed: np.ndarray, n_layers: int, ids: Sequence[int], texts: Sequence[str]
) -> Figure:
    """Two panels: the weights of one head, (T, T), NaN where they are hidden, and the layers that a token needs.

    needed: through how many layers token j reaches token i, (T, T), negative where it never does. What takes more than
    n_layers stays grey and has its number all the same. Rows are the tokens that look, columns those that are seen.
    """
    counts = np.where(needed < 0, np.nan, needed).astype(np.float32)
    reached = np.where(counts <= n_layers, counts, np.float32("nan"))
    has_numbers = len(needed) <= _MOST_NUMBERS
    panels = [
        _Panel(_("weights in one layer"), weights, _("weight"), _two_decimals(weights)),
        _Panel(
            _("layers until it is heard"), reached, _("layers"), "%{z:d}" if has_numbers else None, "coloraxis2",
            faint=np.where(counts > n_layers, counts, np.float32("nan")),
        ),
    ]  # fmt: skip
    return _figure(panels, ids, texts, max(n_layers, 1), "44rem")


def sink_maps(
    weights: tuple[np.ndarray, np.ndarray, np.ndarray], sums: np.ndarray, ids: Sequence[int], texts: Sequence[str]
) -> Figure:
    """Three panels of weights, (T, T) each, NaN where they are hidden: a window alone, first tokens kept, a sink.

    sums: what the weights of each token sum to beside the learned sink, (T,). The third panel has them in a column,
    and what the sink takes in another.
    """
    alone, kept, learned = weights
    with_sums = np.column_stack([learned, sums, 1 - sums]).astype(np.float32)
    numbers = _two_decimals(with_sums)
    panels = [
        _Panel(_("window alone"), alone, _("weight"), numbers),
        _Panel(_("first tokens kept"), kept, _("weight"), numbers),
        _Panel(_("learned sink"), with_sums, _("weight"), numbers, more=(_("sum"), _("sink"))),
    ]
    return _figure(panels, ids, texts, 1, "58rem")


def _two_decimals(weights: np.ndarray) -> str | None:
    return "%{z:.2f}" if weights.shape[1] <= _MOST_WEIGHTS else None


def _figure(panels: Sequence[_Panel], ids: Sequence[int], texts: Sequence[str], most: int, narrow: str) -> Figure:
    names = sentence_names((list(texts), []))[0]
    many = len(panels) > 2
    spans = _spans([panel.values.shape[1] for panel in panels], 0.03 if many else 0.13)
    high = (1 - _BELOW * (len(panels) - 1)) / len(panels)
    tops = [1 - n * (high + _BELOW) for n in range(len(panels))]
    wide = [(span, (0.0, 1.0)) for span in spans]
    below = [((0.0, 1.0), (max(top - high, 0.0), top)) for top in tops]
    ticks = list(range(0, most + 1, -(-most // 4)))
    return theme.figure(
        [trace for n, panel in enumerate(panels) for trace in _traces(panel, n, names, ids)],
        **_axes(panels, names, ids, wide, named_once=many),
        coloraxis=theme.sequential(1.0, colorbar=theme.colour_bar(_bar(panels, spans), nticks=4)),
        coloraxis2=theme.sequential(
            float(most), colorbar=theme.colour_bar(1.005, tickvals=ticks, ticktext=[*map(str, ticks)])
        ),
        plot_bgcolor=theme.GRID,  # shows where nothing is seen
        margin={"l": 90, "r": 50, "t": _HEAD, "b": _FOOT},
        shapes=_lines(panels),
        annotations=[theme.heading(panel.title, sum(spans[n]) / 2, xanchor="center") for n, panel in enumerate(panels)],
        meta={
            "narrow": {
                **_axes(panels, names, ids, below),
                "coloraxis": theme.sequential(1.0, showscale=False),
                "coloraxis2": theme.sequential(float(most), showscale=False),
                "margin": {"l": 86, "r": 8, "t": _HEAD, "b": _FOOT},
                "annotations": [
                    theme.heading(panel.title, 0.5, tops[n], xanchor="center") for n, panel in enumerate(panels)
                ],
                "height": narrow,
            }
        },
    )


def _spans(widths: Sequence[int], gap: float) -> list[tuple[float, float]]:
    """Where each panel begins and ends, as shares of the width. A column is as wide in all of them."""
    column = (1 - gap * (len(widths) - 1)) / sum(widths)
    ends = np.cumsum([width * column for width in widths]) + gap * np.arange(len(widths))
    return [(float(end - width * column), min(float(end), 1.0)) for end, width in zip(ends, widths, strict=True)]


def _bar(panels: Sequence[_Panel], spans: Sequence[tuple[float, float]]) -> float:
    """Where the bar of the weights stands: right of the last panel that has them."""
    return max(span[1] for panel, span in zip(panels, spans, strict=True) if panel.scale == "coloraxis") + 0.004


def _traces(panel: _Panel, n: int, names: list[str], ids: Sequence[int]) -> list[dict]:
    shared = {
        "type": "heatmap", "y": names, "x": [*names, *panel.more], "xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}",
        "hoverongaps": False, "xgap": 1, "ygap": 1,
        "meta": {"ids": list(ids), "column_ids": [*ids, *(None for _more in panel.more)]},
        "hovertemplate": f"%{{y}}, %{{x}}<br>{panel.what} <b>%{{z:.4~g}}</b>{theme.NO_EXTRA}",
    }  # fmt: skip
    drawn = {"name": panel.title, "z": panel.values.astype(np.float32), "coloraxis": panel.scale}
    found = [shared | drawn | {"texttemplate": panel.numbers}]
    if panel.faint is not None:
        grey = {"zmin": 0, "zmax": 1, "colorscale": [[0, theme.GRID], [1, theme.GRID]], "showscale": False}
        far = {"name": _("farther than these layers"), "z": panel.faint, "texttemplate": panel.numbers}
        found.append(shared | grey | far | {"textfont": {"color": theme.INK}})
    return found


def _axes(
    panels: Sequence[_Panel], names: list[str], ids: Sequence[int], domains: list[tuple], *, named_once: bool = False
) -> dict:
    """The axes of all panels. named_once: whether only the first panel has the names of its rows."""
    colours = theme.token_colours(ids)
    rows = token_axis(names, ids, colours) | in_order(names)
    axes: dict = {}
    for n, (panel, (across, down)) in enumerate(zip(panels, domains, strict=True)):
        columns = token_axis(names, ids, colours) | in_order([*names, *panel.more])
        columns["tickvals"], columns["ticktext"] = ([*columns[key], *panel.more] for key in ("tickvals", "ticktext"))
        axes[f"xaxis{n + 1}"] = {"domain": list(across), "anchor": f"y{n + 1}", "tickangle": -45, **columns}
        axes[f"yaxis{n + 1}"] = {"domain": list(down), "anchor": f"x{n + 1}", "autorange": "reversed", **rows}
        axes[f"yaxis{n + 1}"]["showticklabels"] = n == 0 or not named_once
    return axes


def _lines(panels: Sequence[_Panel]) -> list[dict]:
    """A line between the tokens of a panel and the columns after them."""
    line = {"color": theme.SURFACE, "width": 6}
    return [
        {
            "type": "line", "xref": f"x{n + 1}", "yref": f"y{n + 1} domain", "y0": 0, "y1": 1, "line": line,
            "x0": panel.values.shape[1] - len(panel.more) - 0.5, "x1": panel.values.shape[1] - len(panel.more) - 0.5,
        }
        for n, panel in enumerate(panels)
        if panel.more
    ]  # fmt: skip
