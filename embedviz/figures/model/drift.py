"""A training run as pictures: words that drift into classes, and how similar the rows of positions become.

A trace's `meta.frames` holds the data that change with the snapshots, one row for each snapshot. The layout's
`meta.names` holds the names of the snapshots, and its `meta.headings` the annotations that show these names.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from embedviz.base.i18n import _, label_value, ngettext
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.axes import cell_frames
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure
from embedviz.text.visible import in_figure

_MAX_LABELS = 60
_PALER = 3.0  # where the colours of cells without a frame end
_MEAN = 0.3  # the width of the mean of the frames, as a share of the cells beside it


def word_drift(
    points: np.ndarray,
    explained: np.ndarray,
    words: Sequence[str],
    classes: Sequence[str],
    steps: Sequence[int],
    *,
    plays: bool = True,
) -> Figure:
    """Words as they move: a faint ring where each began, a trail from there, and the word where it is now.

    Each class has a colour and a shape. The picture zooms out with the snapshots, because vectors begin short: in the
    room that they need in the end, all words would begin as one heap.

    points: float32 array of shape (S, V, 2). explained: share of the variance of each axis, (2,).
    steps: the number of steps after which each of the S snapshots was taken. plays: False if only the last snapshot
    is shown.
    """
    labels = [in_figure(word) for word in words]
    ranges = _ranges(points)  # (S, 2, 2)
    snapshots = slice(None) if plays else slice(-1, None)
    traces = [_trails(points), _beginnings(points, labels)]
    for n, name in enumerate(dict.fromkeys(classes)):
        members = [k for k, other in enumerate(classes) if other == name]
        traces.append(_class(points[:, members], [labels[k] for k in members], name, n))
    named, number_of = _named(points), dict(zip(dict.fromkeys(classes), range(len(classes)), strict=False))
    colours = [theme.class_colour(number_of[classes[k]]) for k in named]
    traces += _labels(points[snapshots][:, named], [labels[k] for k in named], colours)
    shares = zip(explained, ranges[-1].tolist(), strict=True)
    x, y = (theme.component_axis(n, share, span, fixedrange=False) for n, (share, span) in enumerate(shares))
    names = names_of(steps)
    return figure(
        [Panel(traces, x, y, names[-1], rem=30)],
        margin={"b": 58},
        dragmode="pan",
        meta=LayoutMeta(names=names, headings=[0], ranges={f"{axis}axis": ranges[:, n] for n, axis in enumerate("xy")}),
        **theme.legend(y=0, yref="container", font={"size": 12}),
    )


def names_of(steps: Sequence[int]) -> list[str]:
    """The names of the snapshots, each of which was taken after so many steps."""
    return [ngettext("after {n} step", "after {n} steps", step) if step else _("before training") for step in steps]


def _trails(points: np.ndarray) -> dict:
    """The whole path of each word, (S, V, 2). The script cuts it off at the snapshot on screen."""
    n_words = points.shape[1]
    gaps = np.full((1, n_words, 2), np.nan, np.float32)
    ways = np.concatenate([points, gaps]).transpose(2, 1, 0).reshape(2, -1)  # (2, V (S + 1))
    line = {"color": theme.FAINT, "width": 1}
    x, y = ways
    return theme.curve("", x, y, line=line, opacity=0.45, showlegend=False, meta=TraceMeta(ways=len(points)))


def _beginnings(points: np.ndarray, words: list[str]) -> dict:
    """Where each word was before training, of points of shape (S, V, 2). The legend says so once words have moved."""
    marker = {"symbol": "circle-open", "size": 6, "color": theme.FAINT, "line": {"width": 1}}
    pointing = {"hovertext": words, "hoverinfo": "text+name"}
    look = {"mode": "markers", "marker": marker, "opacity": 0.6, "showlegend": len(points) > 1}
    return theme.curve(_("before training"), *points[0].T, **look, **pointing)


def _class(points: np.ndarray, words: list[str], name: str, n: int) -> dict:
    """The words of one class at each snapshot, (S, words, 2)."""
    frames = theme.coordinates(points)
    ends = (rows[-1] for rows in frames.values())
    marker = {"symbol": theme.SYMBOLS[n % len(theme.SYMBOLS)], "size": 8, "color": theme.class_colour(n)}
    pointing = {"hovertext": words, "hoverinfo": "text+name"}
    return theme.curve(
        name, *ends, mode="markers", marker=marker, cliponaxis=False, meta=TraceMeta(frames=frames), **pointing
    )


def _labels(points: np.ndarray, words: list[str], colours: list[str]) -> list[dict]:
    """The lines to the words' names, and the names, for points of shape (S, V, 2). The page moves both apart."""
    frames = theme.coordinates(points)
    shared = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    line = {"mode": "lines", "line": {"color": theme.FAINT, "width": 0.7}}
    text = {"mode": "text", "text": words, "textfont": {"color": colours, "size": 12}, "cliponaxis": False}
    ends = {axis: rows[-1] for axis, rows in frames.items()}
    return [shared | line | ends, shared | text | ends | {"meta": TraceMeta(around=True, frames=frames)}]


def _ranges(points: np.ndarray) -> np.ndarray:
    """Ranges of the axes that hold every point up to each snapshot, (S, 2, 2): low and high of each axis."""
    low = np.minimum.accumulate(points.min(axis=1))  # (S, 2)
    high = np.maximum.accumulate(points.max(axis=1))  # (S, 2)
    room = 0.1 * (high - low) + 1e-3
    return np.stack([low - room, high + room], axis=2)


def _named(points: np.ndarray) -> list[int]:
    """The words that get a label: all, or if there are very many, those that moved farthest. points: (S, V, 2)."""
    moved = np.linalg.norm(points[-1] - points[0], axis=1)  # (V,)
    return sorted(np.argsort(-moved, kind="stable")[:_MAX_LABELS].tolist())


def position_cosines(similarity: np.ndarray, near: np.ndarray, steps: Sequence[int]) -> Figure:
    """The cosines of all rows of the table, (S, L, L), before training and after the last step.

    Neighbours have a frame and the other cells are paler. near: the mean of neighbours at each snapshot, (S,), which
    stands above, and is a larger cell beside the others.
    """
    means = [_("neighbours {mean} on average", mean=in_print(each)) for each in near.tolist()]
    names = [label_value(name, mean) for name, mean in zip(names_of(steps), means, strict=True)]
    snapshots = [*dict.fromkeys((0, len(steps) - 1))]
    alone = np.eye(similarity.shape[1], dtype=bool)  # a row is like itself, which says nothing
    similarity = np.where(alone, np.float32("nan"), similarity)
    panels = [
        part for at in snapshots for part in (_panel(similarity, at, names[at]), _mean(near, at, similarity.shape[1]))
    ]
    colours = theme.diverging(1.0, colorbar=theme.colour_bar(**theme.from_zero(1.0, 2, beyond="")))
    return figure(
        panels,
        columns=(0, 2),
        meta=LayoutMeta(names=names, headings=[2 * n for n in range(1, len(snapshots))]),
        coloraxis=colours,
        coloraxis2=theme.diverging(_PALER, showscale=False),
    )


def _panel(values: np.ndarray, at: int, title: str) -> Panel:
    """The cosines at a snapshot."""
    across, n_columns = _("position"), values.shape[2]
    hover = _(
        "position {row}, {axis} {column}<br><b>{value}</b>", row="%{y}", axis=across, column="%{x}", value="%{z:.3f}"
    )
    neighbours = np.eye(n_columns, k=1, dtype=bool)
    neighbours |= neighbours.T
    traces = [
        _cells(_("cosine"), np.where(which, values, np.float32("nan")), at, hover, coloraxis)
        for which, coloraxis in ((~neighbours, "coloraxis2"), (neighbours, "coloraxis"))
    ]
    ticks = {"tickvals": list(range(0, n_columns, max(1, n_columns // 4))), "range": [-0.5, n_columns - 0.5]}
    x = theme.axis(across, grid=False, ticks="", **ticks)
    y = theme.axis(across, grid=False, ticks="", nticks=9, autorange="reversed")
    ends = {"x0": -0.5, "x1": n_columns - 0.5, "y0": -0.5, "y1": n_columns - 0.5}
    behind = {"type": "rect", "xref": "x", "yref": "y", "layer": "below", "line": {"width": 0}, "fillcolor": theme.GRID}
    return Panel(traces, x, y, title, shapes=[behind | ends, *cell_frames(neighbours)], rem=15)


def _mean(near: np.ndarray, at: int, n_rows: int) -> Panel:
    """The mean of the frames at a snapshot: one cell as high as three of the rows beside it."""
    low, high = n_rows / 2 - 2, n_rows / 2 + 1
    text = {"texttemplate": "%{z:.2f}", "textfont": {"size": 18}}
    cell = _cells(_("mean"), near[:, None, None], at, "%{z:.3f}", x=[-0.5, 0.5], y=[low, high], **text)
    bare = {"visible": False, "fixedrange": True}
    frame = {"type": "rect", "xref": "x", "yref": "y", "line": {"width": 2, "color": theme.INK}}
    words = {
        "text": _("mean<br>of the<br>frames"), "xref": "x", "x": 0, "yref": "y", "y": high, "yanchor": "top",
        "showarrow": False, "font": {"size": 14},
    }  # fmt: skip
    return Panel(
        [cell], bare | {"range": [-0.55, 0.55]}, bare | {"range": [n_rows - 0.5, -0.5]}, width=_MEAN, rem=15,
        notes=[words], shapes=[frame | {"x0": -0.5, "x1": 0.5, "y0": low, "y1": high}],
    )  # fmt: skip


def _cells(name: str, values: np.ndarray, at: int, hover: str, scale: str = "coloraxis", **options: Any) -> dict:
    """Cells at a snapshot, of values (S, R, C). Every snapshot but the first one moves."""
    frames = TraceMeta(frames={"z": values.reshape(len(values), -1)}) if at else TraceMeta()
    return theme.heatmap(name, values[at], hover, scale, meta=frames, **options)
