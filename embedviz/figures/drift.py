"""A run of training: words that drift into classes, positions that take shape.

What moves with the snapshots stands in a trace's `meta.frames`: for each of its data, one row a snapshot.
What each snapshot is called stands in the layout's `meta.names`, and the annotations that say so in
`meta.headings`.
"""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.figures import theme
from embedviz.figures.placement import place
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 60
_GAP = 0.04
_SHOWN = 99.5  # percentile of |value| at which the colours of the table end


def word_drift(
    points: np.ndarray,
    explained: np.ndarray,
    words: Sequence[str],
    classes: Sequence[str],
    steps: Sequence[int],
    *,
    is_large: bool = False,
) -> Figure:
    """Words before training, and after; each class has a colour and a shape. is_large: for large type.

    points: float32 array of shape (S, V, 2); explained: share of the variance of each axis, (2,).
    steps: after how many steps each of the S was taken.
    """
    ranges = _ranges(points)
    labels = [in_figure(word) for word in words]
    sides = _sides(points[-1], labels, ranges)
    traces = []
    for n, name in enumerate(dict.fromkeys(classes)):
        members = [k for k, other in enumerate(classes) if other == name]
        its = [labels[k] for k in members]
        traces.append(_class(points[:, members], its, name, n, panel=0, named=False))
        traces.append(_class(points[:, members], its, name, n, panel=1, named=bool(sides)))
        traces[-1]["textposition"] = [sides[k] for k in members] if sides else None
    axes = {
        f"{axis}axis{panel or ''}": _plane_axis(axis, panel, ranges[n], explained[n], is_large)
        for n, axis in enumerate("xy")
        for panel in (0, 2)
    }
    names = _names(steps)
    titles = (names[0], names[-1])
    return theme.figure(
        traces,
        **axes,
        annotations=[theme.heading(title, (1 + _GAP) / 2 * n, xanchor="left") for n, title in enumerate(titles)],
        margin={"l": 26, "r": 6, "t": 30, "b": 74 if is_large else 58},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "font": {"size": 12},
            "bgcolor": "rgba(0,0,0,0)", "itemwidth": 30, "itemclick": False, "itemdoubleclick": False},
        dragmode="pan",
        meta={"narrow": _stacked(ranges, explained, titles), "names": names, "headings": [1]},
    )  # fmt: skip


def _names(steps: Sequence[int]) -> list[str]:
    return [ngettext("after {n} step", "after {n} steps", step) if step else _("before training") for step in steps]


def _class(points: np.ndarray, words: list[str], name: str, n: int, *, panel: int, named: bool) -> dict:
    """One class in one panel: 0 before training, 1 the snapshot on screen. points: (S, words, 2)."""
    colour = f"var(--token-{n % theme.N_TOKEN_COLOURS})"
    moved = {axis: np.ascontiguousarray(points[:, :, k]) for k, axis in enumerate("xy")}  # each (S, members)
    return {
        "type": "scatter", "mode": "markers+text" if named else "markers", "name": name, "legendgroup": name,
        **{axis: rows[-panel] for axis, rows in moved.items()}, "xaxis": f"x{panel + 1}" if panel else "x",
        "yaxis": f"y{panel + 1}" if panel else "y", "text": words if named else None, "hovertext": words,
        "hoverinfo": "text+name", "showlegend": panel == 0, "cliponaxis": False,
        "marker": {"symbol": theme.SYMBOLS[n % len(theme.SYMBOLS)], "size": 9, "color": colour},
        "textfont": {"color": colour, "size": 12}, "meta": {"frames": moved} if panel else {},
    }  # fmt: skip


def _plane_axis(axis: str, panel: int, span: tuple[float, float], explained: float, is_short: bool = False) -> dict:
    number = 1 if axis == "x" else 2
    if is_short:
        text = _("PC {n} ({share:.0%})", n=number, share=explained)
    else:
        text = _("PC {n} ({share:.0%} of the variance after)", n=number, share=explained)
    title = {"text": text, "standoff": 4}
    left = (1 + _GAP) / 2 if panel else 0.0
    return {
        "range": span, "showticklabels": False, "ticks": "", "gridcolor": theme.GRID, "zeroline": False, "nticks": 6,
        "anchor": f"{'y' if axis == 'x' else 'x'}{panel or ''}",
        "title": title if axis == "x" or not panel else None,
        **({"domain": [left, left + (1 - _GAP) / 2]} if axis == "x" else {}),
    }  # fmt: skip


def _stacked(ranges: list[tuple[float, float]], explained: np.ndarray, titles: Sequence[str]) -> dict:
    """One panel below the other, where there is no room for them side by side."""
    layout: dict = {"height": "44rem", "margin": {"l": 26, "r": 6, "t": 26, "b": 96}}
    for panel, bottom in ((0, 0.54), (2, 0.0)):
        for n, axis in enumerate("xy"):
            found = _plane_axis(axis, panel, ranges[n], explained[n])
            found["domain"] = [0, 1] if axis == "x" else [bottom, bottom + 0.45]
            found["title"] = {"text": _("PC {n} ({share:.0%})", n=n + 1, share=explained[n]), "standoff": 2}
            layout[f"{axis}axis{panel or ''}"] = found
    layout["annotations"] = [
        theme.heading(title, 0, y, xanchor="left") for title, y in zip(titles, (0.99, 0.45), strict=True)
    ]
    return layout


def _ranges(points: np.ndarray) -> list[tuple[float, float]]:
    """Room for every point at every snapshot."""
    flat = points.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    room = 0.13 * (high - low) + 1e-3
    return list(zip((low - room).tolist(), (high + room).tolist(), strict=True))


def _sides(points: np.ndarray, labels: list[str], ranges: list[tuple[float, float]]) -> list[str]:
    if len(labels) > _MAX_LABELS:
        return []
    return place([points], [[7.0 * len(label) for label in labels]], ranges, np.empty((0, 2)))[0]


def position_tables(tables: np.ndarray, similarity: np.ndarray, steps: Sequence[int]) -> Figure:
    """The positional table before training and after, and the cosine of each pair of its rows.

    tables: float32 array of shape (S, L, D); similarity: (S, L, L). steps: as in `word_drift`.
    """
    limit = float(np.percentile(np.abs(tables[-1]), _SHOWN)) or 1.0
    names = _names(steps)
    titles = (_("table before training"), names[-1], _("cosine before training"), names[-1])
    panels = [(tables, 0), (tables, -1), (similarity, 0), (similarity, -1)]
    axes: dict = {}
    narrow: dict = {"height": "60rem", "margin": {"l": 40, "r": 8, "t": 26, "b": 40}}
    width, height = (1 - 3 * _GAP) / 4, (1 - 3 * 0.07) / 4
    for n, (values, _at) in enumerate(panels):
        left, bottom = n * (width + _GAP), 1 - (n + 1) * height - n * 0.07
        across = _columns(values.shape[2], _("dimension") if n < 2 else _("position"), f"y{n + 1}")
        down = {"anchor": f"x{n + 1}", "autorange": "reversed", **_PLAIN, "showticklabels": n == 0}
        axes |= {f"xaxis{n + 1}": across | {"domain": [left, left + width]}, f"yaxis{n + 1}": down}
        narrow[f"xaxis{n + 1}"] = across | {"domain": [0, 1]}
        narrow[f"yaxis{n + 1}"] = down | {"domain": [bottom, bottom + height], "showticklabels": True}
    axes["yaxis1"] = axes["yaxis1"] | {"title": {"text": _("position"), "standoff": 4}}
    narrow["annotations"] = [
        theme.heading(title, 0, 1 - n * (height + 0.07), xanchor="left") for n, title in enumerate(titles)
    ]
    narrow["coloraxis"] = _colours(limit, 0.5) | {"showscale": False}
    narrow["coloraxis2"] = _colours(1.0, 1.0) | {"showscale": False}
    return theme.figure(
        [_heat(values, at, n) for n, (values, at) in enumerate(panels)],
        **axes,
        annotations=[
            theme.heading(title, n * (width + _GAP) + width / 2, xanchor="center") for n, title in enumerate(titles)
        ],
        coloraxis=_colours(limit, 0.5 - _GAP / 2),
        coloraxis2=_colours(1.0, 1.0),
        margin={"l": 44, "r": 12, "t": 30, "b": 78},
        meta={"narrow": narrow, "names": names, "headings": [1, 3]},
    )


_PLAIN = {"ticks": "", "showgrid": False, "zeroline": False, "fixedrange": True, "nticks": 9}


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


_TABLES = (N_("table before training"), N_("table"), N_("cosine before training"), N_("cosine"))


def _heat(values: np.ndarray, at: int, n: int) -> dict:
    moved = {"z": values.reshape(len(values), -1)}
    axis = _("dimension") if n < 2 else _("position")
    return {
        "type": "heatmap", "name": translated(_TABLES[n]), "z": values[at], "xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}",
        "coloraxis": f"coloraxis{2 if n >= 2 else ''}", "meta": {"frames": moved} if at else {},
        "hovertemplate": _(
            "position {row}, {axis} {column}<br><b>{value}</b>",
            row="%{y}", axis=axis, column="%{x}", value="%{z:.3f}",
        ) + theme.NO_EXTRA,
    }  # fmt: skip
