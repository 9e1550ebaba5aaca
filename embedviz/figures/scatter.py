"""Tokens, positions and their sums as points, with an arrow for each added position."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.placement import place
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

if TYPE_CHECKING:  # the backend brings torch along, which figures do without
    from embedviz.vectors.projection import Scene

_MAX_LABELS = 40
_SIZES = {"token": 12, "a": 10, "b": 10, "position": 7}
_SYMBOLS = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x-thin"}
_SYMBOLS_3D = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x"}
_LEGEND = {
    "legend": {
        "orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left", "itemclick": "toggle",
        "bgcolor": "rgba(0,0,0,0)", "font": {"size": 14}, "itemwidth": 30, "tracegroupgap": 0,
    },
    "showlegend": True,
}  # fmt: skip


@dataclass(frozen=True)
class _Group:
    """Points of one kind, shape (N, n): where they end, where they start before positions are added."""

    name: str
    kind: str
    end: np.ndarray
    start: np.ndarray
    labels: list[str]
    hover: list[str]
    ids: list[int] | None


def sum_scatter(scene: "Scene", ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> Figure:
    """The points of a Scene in 2-D or 3-D; the axes say how much of the variance they carry.

    ids, texts: token IDs and texts of A and of B. At most 40 points carry labels; beyond that the
    pointer shows them.
    """
    groups = _groups(scene, ids, texts)
    colours = theme.token_colours([*ids[0], *ids[1]])
    return _flat(scene, groups, colours) if len(scene.explained) == 2 else _deep(scene, groups, colours, ids)


def _groups(scene: "Scene", ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> list[_Group]:
    words = dict(zip([*ids[0], *ids[1]], map(in_figure, [*texts[0], *texts[1]]), strict=True))
    groups = [
        _positions(scene),  # first, so that the others are drawn over them
        _distinct_tokens(scene, ids, words),
        _inputs("A", scene.inputs_a, scene.tokens_a, ids[0], words),
        _inputs("B", scene.inputs_b, scene.tokens_b, ids[1], words),
    ]
    return [group for group in groups if len(group.end)]


def _positions(scene: "Scene") -> _Group:
    """The positional vectors, or none if they are all zero."""
    shown = scene.positions if np.any(scene.positions != scene.origin) else scene.positions[:0]
    numbers = [str(n) for n in range(len(shown))]
    origin = np.broadcast_to(scene.origin, shown.shape)
    return _Group(_("position"), "position", shown, origin, numbers, [_("position {n}", n=n) for n in numbers], None)


def _distinct_tokens(scene: "Scene", ids: tuple[list[int], list[int]], words: dict[int, str]) -> _Group:
    distinct, first = np.unique([*ids[0], *ids[1]], return_index=True)
    points = np.concatenate([scene.tokens_a, scene.tokens_b])[first]
    labels = [words[id_] for id_ in distinct.tolist()]
    return _Group(_("token"), "token", points, points, labels, labels, distinct.tolist())


def _inputs(name: str, end: np.ndarray, start: np.ndarray, ids: list[int], words: dict[int, str]) -> _Group:
    labels = [f"{name}{n}" for n in range(len(ids))]
    hover = [f"{words[id_]} {label}" for id_, label in zip(ids, labels, strict=True)]
    return _Group(_("{name}: input", name=name), name.lower(), end, start, labels, hover, ids)


def _flat(scene: "Scene", groups: list[_Group], colours: dict[int, str]) -> Figure:
    ranges = _ranges(groups)
    labelled = _few(groups)
    sides: Sequence = [None] * len(groups)
    if labelled:
        sides = place([g.end for g in groups], [_widths(g) for g in groups], ranges, _along_arrows(scene))
    traces = [_arrows(start, end) for start, end in _ends(scene)]
    for group, side in zip(groups, sides, strict=True):
        trace = _markers(group, colours, labelled, _SYMBOLS)
        if group.kind in ("token", "position"):
            trace["marker"]["line"] = {"width": 2, "color": trace["marker"]["color"]}
        traces.append(trace | {"type": "scatter", "textposition": side, "cliponaxis": False})
    axes = {
        f"{axis}axis": {
            "title": {
                "text": _("PC {n} ({share:.0%} of the variance)", n=n + 1, share=scene.explained[n]), "standoff": 6
            },
            "range": ranges[n], "showticklabels": False, "ticks": "", "gridcolor": theme.GRID, "zeroline": False,
            "nticks": 6,
        }
        for n, axis in enumerate("xy")
    }  # fmt: skip
    traces += _legend_entries(groups, _SYMBOLS, {"type": "scatter", "x": [None], "y": [None]})
    return theme.figure(traces, **axes, **_LEGEND, dragmode="pan", margin={"l": 30, "r": 8, "t": 30, "b": 34})


def _deep(scene: "Scene", groups: list[_Group], colours: dict[int, str], ids: tuple[list[int], list[int]]) -> Figure:
    ranges = _ranges(groups)
    ends = zip(_ends(scene), ids, strict=True)
    traces = [_lines(start, end, [colours[id_] for id_ in of]) for (start, end), of in ends]
    for group in groups:
        trace = _markers(group, colours, _few(groups), _SYMBOLS_3D) | {"type": "scatter3d"}
        trace["marker"]["size"] = [trace["marker"]["size"]] * len(group.end)  # so that one can grow
        del trace["unselected"]  # nor can points be selected there
        traces.append(trace)
    axes = {
        f"{axis}axis": {
            "title": {"text": _("PC {n} ({share:.0%})", n=n + 1, share=scene.explained[n])},
            "range": ranges[n], "zeroline": False,
            "showticklabels": False, "gridcolor": theme.GRID, "showbackground": False, "showspikes": False,
        }
        for n, axis in enumerate("xyz")
    }  # fmt: skip
    camera = {"eye": {"x": 1.5, "y": 1.5, "z": 0.75}, "center": {"x": 0, "y": 0, "z": -0.16}}
    space = {**axes, "dragmode": "orbit", "aspectmode": "cube", "camera": camera}
    nowhere = {"type": "scatter3d", "x": [None], "y": [None], "z": [None]}
    traces += _legend_entries(groups, _SYMBOLS_3D, nowhere)
    return theme.figure(traces, scene=space, **_LEGEND, margin={"l": 0, "r": 0, "t": 26, "b": 0})


def _few(groups: list[_Group]) -> bool:
    return sum(len(group.labels) for group in groups) <= _MAX_LABELS


def _markers(group: _Group, colours: dict[int, str], labelled: bool, symbols: dict[str, str]) -> dict:
    colour = theme.FAINT if group.ids is None else [colours[id_] for id_ in group.ids]
    meta: dict = {} if group.ids is None else {"ids": group.ids}
    if group.kind != "token":
        meta["start"] = _coordinates(group.start)
    return {
        **_coordinates(group.end), "name": group.name, "mode": "markers+text" if labelled else "markers",
        "text": group.labels, "hovertext": group.hover, "hoverinfo": "text+name", "legendgroup": group.name,
        "showlegend": False, "meta": meta,
        "marker": {"symbol": symbols[group.kind], "size": _SIZES[group.kind], "color": colour, "line": {"width": 0}},
        "textfont": {"color": colour, "size": 15 if group.kind == "token" else 12},
        "unselected": {"marker": {"opacity": 0.12}, "textfont": {"color": "rgba(128,128,128,0.25)"}},
    }  # fmt: skip


def _arrows(start: np.ndarray, end: np.ndarray) -> dict:
    """Token to input, one trace a sentence: three points an arrow, the third a gap."""
    n = len(start)
    return {
        "type": "scatter", "mode": "lines+markers", **_coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": 1.5, "color": theme.FAINT}, "showlegend": False, "opacity": 0.75,
        "marker": {
            "symbol": "arrow", "angleref": "previous", "size": [0, 10, 0] * n, "standoff": [0, 6, 0] * n,
            "color": theme.FAINT,
        },
        "meta": {"start": _coordinates(_interleave(start, start))},
    }  # fmt: skip


def _lines(start: np.ndarray, end: np.ndarray, colours: list[str]) -> dict:
    """The same in 3-D, where Plotly has no arrowheads."""
    return {
        "type": "scatter3d", "mode": "lines", **_coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": 3, "color": [colour for colour in colours for _ in range(3)]},
        "showlegend": False, "meta": {"start": _coordinates(_interleave(start, start))},
    }  # fmt: skip


def _legend_entries(groups: list[_Group], symbols: dict[str, str], nowhere: dict) -> list[dict]:
    """The legend is about shape, so its marks carry no token's colour."""
    line = {"width": 2, "color": theme.INK}
    return [
        {
            **nowhere, "mode": "markers", "name": group.name, "legendgroup": group.name, "showlegend": True,
            "hoverinfo": "skip",
            "marker": {"symbol": symbols[group.kind], "size": 10, "color": theme.INK, "line": line},
        }
        for group in groups
    ]  # fmt: skip


def _widths(group: _Group) -> list[float]:
    """About how wide each label will be, in pixels."""
    per_char = 8.5 if group.kind == "token" else 7.0
    return [per_char * len(html.unescape(label)) for label in group.labels]


def _along_arrows(scene: "Scene") -> np.ndarray:
    """Points on the arrows, which labels should not cover, shape (M, 2)."""
    shares = np.linspace(0.2, 0.8, 4)[:, None, None]
    return np.concatenate([(start + shares * (end - start)).reshape(-1, 2) for start, end in _ends(scene)])


def _ends(scene: "Scene") -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    return (scene.tokens_a, scene.inputs_a), (scene.tokens_b, scene.inputs_b)


def _interleave(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    gap = np.full_like(start, np.nan)
    return np.stack([start, end, gap], axis=1).reshape(-1, start.shape[1])  # (3 T, n)


def _coordinates(points: np.ndarray) -> dict:
    """float32 (N, n) to one contiguous array an axis, which travels as it lies in memory."""
    return {axis: np.ascontiguousarray(points[:, n]) for n, axis in enumerate("xyz"[: points.shape[1]])}


def _ranges(groups: list[_Group]) -> list[tuple[float, float]]:
    """Room for every point at every moment of the animation, and for the labels at the rim."""
    points = np.concatenate([part for group in groups for part in (group.start, group.end)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.14 * (high - low) + 1e-3 + 0.01 * np.abs(points).max()
    return list(zip((low - room).tolist(), (high + room).tolist(), strict=True))
