"""How the positional table takes shape in a training run. drift.py says where the moving values are kept."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.drift import names_of
from embedviz.figures.theme import Figure

_GAP = 0.04
_SHOWN = 99.5  # percentile of |value| at which the colours of the table end
_PLAIN = {"ticks": "", "showgrid": False, "zeroline": False, "fixedrange": True, "nticks": 9}
_BEFORE = (N_("table before training"), N_("cosine before training"))
_NOW = (N_("table"), N_("cosine"))


def position_tables(tables: np.ndarray, similarity: np.ndarray, steps: Sequence[int]) -> Figure:
    """The positional table before training and after, and the cosine of each pair of its rows.

    tables: float32 array of shape (S, L, D). similarity: (S, L, L). steps: as in `word_drift`. Before the first step
    there is only one table to show.
    """
    limit = float(np.percentile(np.abs(tables[-1]), _SHOWN)) or 1.0
    names = names_of(steps)
    snapshots = dict.fromkeys((0, len(steps) - 1))  # the first snapshot, and the one on screen
    panels = [(n, values, at) for n, values in enumerate((tables, similarity)) for at in snapshots]
    titles = [names[-1] if at else translated(_BEFORE[n]) for n, _values, at in panels]
    many = len(panels)
    axes: dict = {}
    narrow: dict = {"height": f"{15 * many}rem", "margin": {"l": 40, "r": 8, "t": 26, "b": 40}}
    width, height = (1 - (many - 1) * _GAP) / many, (1 - (many - 1) * 0.07) / many
    for k, (n, values, _at) in enumerate(panels):
        left, bottom = k * (width + _GAP), 1 - (k + 1) * height - k * 0.07
        across = _columns(values.shape[2], _("position") if n else _("dimension"), f"y{k + 1}")
        down = {"anchor": f"x{k + 1}", "autorange": "reversed", **_PLAIN, "showticklabels": k == 0}
        axes |= {f"xaxis{k + 1}": across | {"domain": [left, left + width]}, f"yaxis{k + 1}": down}
        narrow[f"xaxis{k + 1}"] = across | {"domain": [0, 1]}
        narrow[f"yaxis{k + 1}"] = down | {"domain": [bottom, bottom + height], "showticklabels": True}
    axes["yaxis1"] = axes["yaxis1"] | {"title": {"text": _("position"), "standoff": 4}}
    narrow["annotations"] = [
        theme.heading(title, 0, 1 - k * (height + 0.07), xanchor="left") for k, title in enumerate(titles)
    ]
    narrow["coloraxis"] = _colours(limit, 0.5) | {"showscale": False}
    narrow["coloraxis2"] = _colours(1.0, 1.0) | {"showscale": False}
    return theme.figure(
        [_heat(n, values, at, k) for k, (n, values, at) in enumerate(panels)],
        **axes,
        annotations=[
            theme.heading(title, k * (width + _GAP) + width / 2, xanchor="center") for k, title in enumerate(titles)
        ],
        coloraxis=_colours(limit, 0.5 - _GAP / 2),
        coloraxis2=_colours(1.0, 1.0),
        margin={"l": 44, "r": 12, "t": 30, "b": 78},
        meta={"narrow": narrow, "names": names, "headings": [k for k, (_n, _values, at) in enumerate(panels) if at]},
    )


def _columns(n: int, name: str, anchor: str) -> dict:
    every = max(1, n // 4)
    title = {"text": name, "standoff": 2}
    return {**_PLAIN, "anchor": anchor, "tickvals": list(range(0, n, every)), "title": title, "range": [-0.5, n - 0.5]}


def _colours(limit: float, right: float) -> dict:
    bar = {
        "orientation": "h", "thickness": 8, "outlinewidth": 0, "len": 0.3, "x": right, "xanchor": "right",
        "y": 0, "yref": "container", "yanchor": "bottom", "ypad": 4, "tickvals": [-limit, 0, limit],
        "ticktext": [f"{-limit:.2g}", "0", f"{limit:.2g}"],
    }  # fmt: skip
    return theme.diverging(limit, colorbar=bar)


def _heat(n: int, values: np.ndarray, at: int, panel: int) -> dict:
    """One panel with the table (0) or the cosines (1) at a snapshot. Every snapshot but the first one moves."""
    moved = {"z": values.reshape(len(values), -1)}
    axis = _("position") if n else _("dimension")
    return {
        "type": "heatmap", "name": translated((_NOW if at else _BEFORE)[n]), "z": values[at],
        "xaxis": f"x{panel + 1}", "yaxis": f"y{panel + 1}", "coloraxis": f"coloraxis{2 if n else ''}",
        "meta": {"frames": moved} if at else {},
        "hovertemplate": _(
            "position {row}, {axis} {column}<br><b>{value}</b>",
            row="%{y}", axis=axis, column="%{x}", value="%{z:.3f}",
        ) + theme.NO_EXTRA,
    }  # fmt: skip
