"""Tokens and their sums with positions as points, with an arrow for each added position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import position_id
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure
from embedviz.text.visible import in_figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.vectors.projection import Scene

_MAX_LABELS = 40
_SIZES = {"token": 12, "a": 10, "b": 10}
_SAME = "var(--accent)"  # both arrows of one position
_SYMBOLS = {"token": "circle-open", "a": "circle", "b": "diamond"}


@dataclass(frozen=True)
class _Group:
    """Points of one kind, (N, n): ends, and starts without positions. also: what lights a point beside its ID."""

    name: str
    kind: str
    end: np.ndarray
    start: np.ndarray
    labels: list[str]
    hover: list[str]
    ids: list[int]
    also: list[list]


def sum_scatter(scene: "Scene", ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> Figure:
    """The points of a Scene in 2-D. Up to 40 points carry labels; of more, pointing at one shows its own."""
    words = dict(zip([*ids[0], *ids[1]], map(in_figure, [*texts[0], *texts[1]]), strict=True))
    groups = [
        _distinct_tokens(scene, ids, words),
        _inputs("A", scene.inputs_a, scene.tokens_a, ids[0], words),
        _inputs("B", scene.inputs_b, scene.tokens_b, ids[1], words),
    ]
    groups = [group for group in groups if len(group.end)]
    ends = (scene.tokens_a, scene.inputs_a), (scene.tokens_b, scene.inputs_b)
    arrows = [_arrows(*tips, tokens, range(len(tokens))) for tips, tokens in zip(ends, ids, strict=True)]
    colours = theme.token_colours([*ids[0], *ids[1]])
    is_few = sum(len(group.labels) for group in groups) <= _MAX_LABELS
    same = twice(scene, ids)
    points = [_markers(group, colours, is_few, same) for group in groups]
    shares = zip(scene.explained, _ranges(groups), strict=True)
    x, y = (theme.component_axis(n, share, span, fixedrange=False) for n, (share, span) in enumerate(shares))
    legend = theme.legend(itemclick="toggle", itemdoubleclick="toggleothers", font={"size": 14})
    traces = [*arrows, *points, *_same_arrow(scene, ids, same), *_legend_entries(groups)]
    return figure([Panel(traces, x, y)], dragmode="pan", margin={"t": 30}, **legend)


def twice(scene: "Scene", ids: tuple[list[int], list[int]]) -> int | None:
    """The position with two tokens whose arrow is longest, if there is one."""
    lengths = np.linalg.norm(scene.positions - scene.origin, axis=1)
    places = [n for n, (a, b) in enumerate(zip(*ids, strict=False)) if a != b and lengths[n]]
    return max(places, key=lengths.__getitem__, default=None)


def _same_arrow(scene: "Scene", ids: tuple[list[int], list[int]], n: int | None) -> list[dict]:
    """Both arrows of that position in one named trace, and its name beside each of them."""
    if n is None:
        return []
    start, end = np.stack([scene.tokens_a[n], scene.tokens_b[n]]), np.stack([scene.inputs_a[n], scene.inputs_b[n]])
    tokens = [sentence[n] for sentence in ids]
    arrows = _arrows(start, end, tokens, (n, n), width=3.5)
    arrows["line"]["color"] = arrows["marker"]["color"] = _SAME
    arrows |= {"name": _("position {n}: one arrow, twice", n=n), "showlegend": True, "opacity": 1}
    return [arrows, _beside(start, end, tokens, n)]


def _beside(start: np.ndarray, end: np.ndarray, tokens: list[int], n: int) -> dict:
    """The name of the position beside the middle of each arrow. While nothing is added, the page shows no names."""
    return {
        **theme.coordinates((start + end) / 2), "type": "scatter", "mode": "markers+text", "showlegend": False,
        "text": [_("+ position {n}", n=n)] * len(start), "textfont": {"color": _SAME, "size": 15},
        "hoverinfo": "skip", "cliponaxis": False, "marker": {"size": 4, "opacity": 0},
        "meta": TraceMeta(
            ids=tokens, also=[[position_id(n)]] * len(start), beside=True, start=theme.coordinates(start)
        ),
        "unselected": {"marker": {"opacity": 0}, "textfont": {"color": "rgba(128,128,128,0.25)"}},
    }  # fmt: skip


def _distinct_tokens(scene: "Scene", ids: tuple[list[int], list[int]], words: dict[int, str]) -> _Group:
    distinct, first = np.unique([*ids[0], *ids[1]], return_index=True)
    points = np.concatenate([scene.tokens_a, scene.tokens_b])[first]
    labels = [words[id_] for id_ in distinct.tolist()]
    return _Group(_("token"), "token", points, points, labels, labels, distinct.tolist(), [[]] * len(distinct))


def _inputs(name: str, end: np.ndarray, start: np.ndarray, ids: list[int], words: dict[int, str]) -> _Group:
    labels = [f"{name}{n}" for n in range(len(ids))]
    hover = [f"{words[id_]} {label}" for id_, label in zip(ids, labels, strict=True)]
    also = [[position_id(n)] for n in range(len(ids))]
    return _Group(_("{name}: input", name=name), name.lower(), end, start, labels, hover, ids, also)


def _markers(group: _Group, colours: dict[int, str], is_labelled: bool, same: int | None) -> dict:
    """The points of a group. same: the position whose arrows stand out. The names of other inputs are grey."""
    colour = [colours[id_] for id_ in group.ids]
    is_grey = group.kind != "token" and same is not None
    names = [theme.FAINT if is_grey and n != same else each for n, each in enumerate(colour)]
    line = {"width": 2, "color": colour} if group.kind == "token" else {"width": 0}
    meta = TraceMeta(ids=group.ids, also=group.also, beside=is_labelled)  # labels may stand on any side
    if group.kind != "token":
        meta["start"] = theme.coordinates(group.start)
    return {
        **theme.coordinates(group.end), "type": "scatter", "cliponaxis": False, "name": group.name,
        "mode": "markers+text" if is_labelled else "markers",
        "text": group.labels, "hovertext": group.hover, "hoverinfo": "text+name", "legendgroup": group.name,
        "showlegend": False, "meta": meta,
        "marker": {"symbol": _SYMBOLS[group.kind], "size": _SIZES[group.kind], "color": colour, "line": line},
        "textfont": {"color": names, "size": 15 if group.kind == "token" else 12},
        "unselected": {"marker": {"opacity": 0.12}, "textfont": {"color": "rgba(128,128,128,0.25)"}},
    }  # fmt: skip


def _arrows(
    start: np.ndarray, end: np.ndarray, ids: Sequence[int], places: Sequence[int], *, width: float = 1.5
) -> dict:
    """Arrows from tokens to inputs, at these positions. An arrow is three points; the third is a gap."""
    n, size = len(start), 6 + 2.5 * width
    return {
        "type": "scatter", "mode": "lines+markers", **theme.coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": width, "color": theme.FAINT, "backoff": 0.6 * size + 5}, "showlegend": False, "opacity": 0.45,
        "marker": {
            "symbol": "arrow", "angleref": "previous", "size": [0, size, 0] * n, "standoff": [0, 5, 0] * n,
            "color": theme.FAINT, "opacity": 1, "line": {"width": 0},  # Plotly’s own are pale if sizes differ
        },
        "meta": TraceMeta(
            start=theme.coordinates(_interleave(start, start)),
            ids=[id_ for id_ in ids for _point in range(3)],
            also=[[position_id(place)] for place in places for _point in range(3)],
        ),
        "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip


def _legend_entries(groups: list[_Group]) -> list[dict]:
    """The entries of the legend. It explains shapes, so its marks have no token's colour."""
    line = {"width": 2, "color": theme.INK}
    return [
        {
            "type": "scatter", "x": [None], "y": [None], "mode": "markers", "name": group.name,
            "legendgroup": group.name, "showlegend": True, "hoverinfo": "skip",
            "marker": {"symbol": _SYMBOLS[group.kind], "size": 10, "color": theme.INK, "line": line},
        }
        for group in groups
    ]  # fmt: skip


def _interleave(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    gap = np.full_like(start, np.nan)
    return np.stack([start, end, gap], axis=1).reshape(-1, start.shape[1])  # (3 T, n)


def _ranges(groups: list[_Group]) -> list[tuple[float, float]]:
    """Ranges of the axes with room for every point at every moment of the animation, and for labels at the edges."""
    points = np.concatenate([part for group in groups for part in (group.start, group.end)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.14 * (high - low) + 1e-3 + 0.01 * np.abs(points).max()
    return list(zip((low - room).tolist(), (high + room).tolist(), strict=True))
