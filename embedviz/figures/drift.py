"""A run of training: words that drift into classes, positions that take shape.

What moves with the snapshots stands in a trace's `meta.frames`: for each of its data, one row a snapshot.
What each snapshot is called stands in the layout's `meta.names`, and the annotations that say so in
`meta.headings`.
"""

import threading
from collections.abc import Sequence

import numpy as np
from cachetools import LRUCache, cached

from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.figures import theme
from embedviz.figures.placement import spread
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 60
_GAP = 0.04
_SHOWN = 99.5  # percentile of |value| at which the colours of the table end
_ROOM = (780, 280)  # pixels of a typical picture, in which type has its usual size; projection enlarges both alike
_LETTER = 7.0  # pixels


def word_drift(
    points: np.ndarray,
    explained: np.ndarray,
    words: Sequence[str],
    classes: Sequence[str],
    steps: Sequence[int],
    *,
    plays: bool = True,
    is_large: bool = False,
) -> Figure:
    """Words as they move: a faint ring where each began, a trail from there, and the word where it is now.

    Each class has a colour and a shape. The picture zooms with the snapshots: vectors begin short, and all words
    would be one heap in the room that they need in the end.

    points: float32 array of shape (S, V, 2); explained: share of the variance of each axis, (2,).
    steps: after how many steps each of the S was taken. plays: False if only the last of them is looked at.
    is_large: for large type.
    """
    labels = [in_figure(word) for word in words]
    ranges = _ranges(points)  # (S, 2, 2)
    shown = slice(None) if plays else slice(-1, None)
    traces = [_trails(points), _beginnings(points[0], labels)]
    for n, name in enumerate(dict.fromkeys(classes)):
        members = [k for k, other in enumerate(classes) if other == name]
        traces.append(_class(points[:, members], [labels[k] for k in members], name, n))
    named = _named(points)
    middles, ends = _placed(points[shown][:, named], [labels[k] for k in named], ranges[shown])
    colours = [_colour(list(dict.fromkeys(classes)).index(classes[k])) for k in named]
    traces += [_leaders(points[shown][:, named], ends), _labels(middles, [labels[k] for k in named], colours)]
    axes = {f"{axis}axis": _plane_axis(n, ranges[-1, n], explained[n], is_large) for n, axis in enumerate("xy")}
    names = _names(steps)
    return theme.figure(
        traces,
        **axes,
        annotations=[theme.heading(names[-1], 0, xanchor="left")],
        margin={"l": 26, "r": 6, "t": 26, "b": 74 if is_large else 58},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "font": {"size": 12},
            "bgcolor": "rgba(0,0,0,0)", "itemwidth": 30, "itemclick": False, "itemdoubleclick": False},
        dragmode="pan",
        meta={"narrow": {"height": "30rem", "margin": {"l": 26, "r": 6, "t": 26, "b": 110}}, "names": names,
            "headings": [0], "ranges": {f"{axis}axis": ranges[:, n] for n, axis in enumerate("xy")}},
    )  # fmt: skip


def _names(steps: Sequence[int]) -> list[str]:
    return [ngettext("after {n} step", "after {n} steps", step) if step else _("before training") for step in steps]


def _trails(points: np.ndarray) -> dict:
    """The way of each word, (S, V, 2), up to the snapshot on screen: the script cuts it off there."""
    n_words = points.shape[1]
    gaps = np.full((1, n_words, 2), np.nan, np.float32)
    ways = np.concatenate([points, gaps]).transpose(2, 1, 0).reshape(2, -1)  # (2, V (S + 1))
    return {
        "type": "scatter", "mode": "lines", "x": ways[0], "y": ways[1], "hoverinfo": "skip", "showlegend": False,
        "line": {"color": theme.FAINT, "width": 1}, "opacity": 0.45,
        "meta": {"ways": len(points)},
    }  # fmt: skip


def _beginnings(points: np.ndarray, words: list[str]) -> dict:
    """Where each word was before training, (V, 2)."""
    return {
        "type": "scatter", "mode": "markers", "name": _("before training"), "x": points[:, 0], "y": points[:, 1],
        "hovertext": words, "hoverinfo": "text+name",
        "marker": {"symbol": "circle-open", "size": 6, "color": theme.FAINT, "line": {"width": 1}}, "opacity": 0.6,
    }  # fmt: skip


def _moved(points: np.ndarray) -> dict[str, np.ndarray]:
    """Points at each snapshot, (S, N, 2), by their axes, each (S, N)."""
    return {axis: np.ascontiguousarray(points[:, :, n]) for n, axis in enumerate("xy")}


def _class(points: np.ndarray, words: list[str], name: str, n: int) -> dict:
    """The words of one class at each snapshot, (S, words, 2)."""
    frames = _moved(points)
    return {
        "type": "scatter", "mode": "markers", "name": name, **{axis: rows[-1] for axis, rows in frames.items()},
        "hovertext": words, "hoverinfo": "text+name", "cliponaxis": False, "meta": {"frames": frames},
        "marker": {"symbol": theme.SYMBOLS[n % len(theme.SYMBOLS)], "size": 8, "color": _colour(n)},
    }  # fmt: skip


def _colour(n: int) -> str:
    return f"var(--token-{n % theme.N_TOKEN_COLOURS})"


def _labels(middles: np.ndarray, words: list[str], colours: list[str]) -> dict:
    """The words themselves, (S, V, 2)."""
    frames = _moved(middles)
    return {
        "type": "scatter", "mode": "text", "text": words, **{axis: rows[-1] for axis, rows in frames.items()},
        "textfont": {"color": colours, "size": 12}, "hoverinfo": "skip", "showlegend": False, "cliponaxis": False,
        "meta": {"frames": frames},
    }  # fmt: skip


def _leaders(points: np.ndarray, ends: np.ndarray) -> dict:
    """A line from each point to its label, if that lies farther away; both (S, V, 2)."""
    is_far = (ends != points).any(axis=(0, 2))  # (V,): at some snapshot
    gaps = np.full_like(points, np.nan)
    lines = np.stack([points, ends, gaps], axis=2)[:, is_far]  # (S, at most V, 3, 2)
    frames = _moved(lines.reshape(len(points), -1, 2))
    return {
        "type": "scatter", "mode": "lines", **{axis: rows[-1] for axis, rows in frames.items()}, "hoverinfo": "skip",
        "showlegend": False, "line": {"color": theme.FAINT, "width": 0.7}, "meta": {"frames": frames},
    }  # fmt: skip


def _plane_axis(n: int, span: np.ndarray, explained: float, is_short: bool) -> dict:
    if is_short:
        text = _("PC {n} ({share:.0%})", n=n + 1, share=explained)
    else:
        text = _("PC {n} ({share:.0%} of the variance)", n=n + 1, share=explained)
    return {
        "range": span.tolist(), "showticklabels": False, "ticks": "", "gridcolor": theme.GRID, "zeroline": False,
        "nticks": 6, "title": {"text": text, "standoff": 4},
    }  # fmt: skip


def _ranges(points: np.ndarray) -> np.ndarray:
    """Room at each snapshot for every point up to it, (S, 2, 2): low and high of each axis."""
    low = np.minimum.accumulate(points.min(axis=1))  # (S, 2)
    high = np.maximum.accumulate(points.max(axis=1))  # (S, 2)
    room = 0.1 * (high - low) + 1e-3
    return np.stack([low - room, high + room], axis=2)


def _named(points: np.ndarray) -> list[int]:
    """The words that have a label: all of them, or of very many those that have moved farthest. points: (S, V, 2)."""
    moved = np.linalg.norm(points[-1] - points[0], axis=1)  # (V,)
    return sorted(np.argsort(-moved, kind="stable")[:_MAX_LABELS].tolist())


@cached(
    LRUCache(64),
    key=lambda points, labels, ranges: (points.tobytes(), tuple(labels), ranges.tobytes()),
    lock=threading.Lock(),
)
def _placed(points: np.ndarray, labels: list[str], ranges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each label stands at each snapshot, and where the line to it ends, both (S, V, 2)."""
    return spread(points, [_LETTER * len(label) for label in labels], ranges, _ROOM)


def position_tables(tables: np.ndarray, similarity: np.ndarray, steps: Sequence[int]) -> Figure:
    """The positional table before training and after, and the cosine of each pair of its rows.

    tables: float32 array of shape (S, L, D); similarity: (S, L, L). steps: as in `word_drift`; before the first one
    there is nothing to stand beside.
    """
    limit = float(np.percentile(np.abs(tables[-1]), _SHOWN)) or 1.0
    names = _names(steps)
    snapshots = dict.fromkeys((0, len(steps) - 1))  # the first, and the one on screen
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


_BEFORE = (N_("table before training"), N_("cosine before training"))
_NOW = (N_("table"), N_("cosine"))


def _heat(n: int, values: np.ndarray, at: int, panel: int) -> dict:
    """One panel: the table (0) or the cosines (1) at a snapshot, of which all but the first move."""
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
