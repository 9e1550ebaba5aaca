"""Tokens, positions and their sums as points, with an arrow for each added position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import position_id
from embedviz.figures.figure import Figure, Panel, figure, styled
from embedviz.text.visible import in_figure

if TYPE_CHECKING:  # importing the backend imports torch, which figures do not need
    from embedviz.vectors.projection import Scene

_MAX_LABELS = 40
_SIZES = {"token": 12, "a": 10, "b": 10, "position": 7}
_SYMBOLS = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x-thin"}
_SYMBOLS_3D = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x"}


@dataclass(frozen=True)
class _Group:
    """Points of one kind, shape (N, n): where they end, and where they start before positions are added.

    ids: the IDs of tokens; None for positions. also: the IDs that light a point too when they are pointed at: for a
    position the tokens that stand at it, for an input its position.
    """

    name: str
    kind: str
    end: np.ndarray
    start: np.ndarray
    labels: list[str]
    hover: list[str]
    ids: list[int] | None
    also: list[list]


def sum_scatter(scene: "Scene", ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> Figure:
    """The points of a Scene in 2-D or 3-D; the axes say how much of the variance they carry.

    ids, texts: token IDs and texts of A and of B. Up to 40 points carry labels. If there are more points, only
    pointing at one shows its label.
    """
    groups = _groups(scene, ids, texts)
    colours = theme.token_colours([*ids[0], *ids[1]])
    return _flat(scene, groups, colours, ids) if len(scene.explained) == 2 else _deep(scene, groups, colours, ids)


def _groups(scene: "Scene", ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> list[_Group]:
    words = dict(zip([*ids[0], *ids[1]], map(in_figure, [*texts[0], *texts[1]]), strict=True))
    groups = [
        _positions(scene, ids),  # positions come first, so that the others are drawn over them
        _distinct_tokens(scene, ids, words),
        _inputs("A", scene.inputs_a, scene.tokens_a, ids[0], words),
        _inputs("B", scene.inputs_b, scene.tokens_b, ids[1], words),
    ]
    return [group for group in groups if len(group.end)]


def _positions(scene: "Scene", ids: tuple[list[int], list[int]]) -> _Group:
    """The positional vectors, or none if they are all zero."""
    shown = scene.positions if np.any(scene.positions != scene.origin) else scene.positions[:0]
    numbers = [str(n) for n in range(len(shown))]
    origin = np.broadcast_to(scene.origin, shown.shape)
    hover = [_("position {n}", n=n) for n in numbers]
    standing = [[of[n] for of in ids if n < len(of)] for n in range(len(shown))]
    return _Group(_("position"), "position", shown, origin, numbers, hover, None, standing)


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


def _flat(scene: "Scene", groups: list[_Group], colours: dict[int, str], ids: tuple[list[int], list[int]]) -> Figure:
    traces = [_arrows(start, end, of) for (start, end), of in zip(_ends(scene), ids, strict=True)]
    for group in groups:
        trace = _markers(group, colours, _few(groups), _SYMBOLS)
        if group.kind in ("token", "position"):
            trace["marker"]["line"] = {"width": 2, "color": trace["marker"]["color"]}
        trace["meta"]["beside"] = _few(groups)  # the side of its point on which each label stands is free
        traces.append(trace | {"type": "scatter", "cliponaxis": False})
    x, y = (
        theme.axis(
            _("PC {n} ({share:.0%} of the variance)", n=n + 1, share=scene.explained[n]),
            range=span, fixedrange=False, showticklabels=False, ticks="", nticks=6,
        )
        for n, span in enumerate(_ranges(groups))
    )  # fmt: skip
    traces += _legend_entries(groups, _SYMBOLS, {"type": "scatter", "x": [None], "y": [None]})
    return figure([Panel(traces, x, y)], dragmode="pan", margin={"t": 30}, **_legend())


def _deep(scene: "Scene", groups: list[_Group], colours: dict[int, str], ids: tuple[list[int], list[int]]) -> Figure:
    ranges = _ranges(groups)
    ends = zip(_ends(scene), ids, strict=True)
    traces = [_lines(start, end, of, colours) for (start, end), of in ends]
    for group in groups:
        trace = _markers(group, colours, _few(groups), _SYMBOLS_3D) | {"type": "scatter3d"}
        trace["marker"]["size"] = [trace["marker"]["size"]] * len(group.end)  # one size a point, so that one can grow
        del trace["unselected"]  # points cannot be selected in 3-D
        traces.append(trace)
    axes = {
        f"{axis}axis": {
            "title": {"text": _("PC {n} ({share:.0%})", n=n + 1, share=scene.explained[n])},
            "range": ranges[n], "zeroline": False,
            "showticklabels": False, "gridcolor": theme.GRID, "showbackground": False, "showspikes": False,
        }
        for n, axis in enumerate("xyz")
    }  # fmt: skip
    traces += _legend_entries(groups, _SYMBOLS_3D, {"type": "scatter3d", "x": [None], "y": [None], "z": [None]})
    box = {**axes, "dragmode": "orbit", "aspectmode": "manual"}  # the page chooses its sides, and how it is seen
    return styled(traces, scene=box, margin={"l": 0, "r": 0, "t": 26, "b": 0}, **_legend())


def _few(groups: list[_Group]) -> bool:
    return sum(len(group.labels) for group in groups) <= _MAX_LABELS


def _markers(group: _Group, colours: dict[int, str], labelled: bool, symbols: dict[str, str]) -> dict:
    colour = theme.FAINT if group.ids is None else [colours[id_] for id_ in group.ids]
    meta: dict = {"ids": group.ids or [position_id(n) for n in range(len(group.end))], "also": group.also}
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


def _arrows(start: np.ndarray, end: np.ndarray, ids: list[int]) -> dict:
    """The arrows from tokens to inputs, one trace for each sentence. An arrow is three points; the third is a gap."""
    n = len(start)
    return {
        "type": "scatter", "mode": "lines+markers", **_coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": 1.5, "color": theme.FAINT}, "showlegend": False, "opacity": 0.75,
        "marker": {
            "symbol": "arrow", "angleref": "previous", "size": [0, 10, 0] * n, "standoff": [0, 6, 0] * n,
            "color": theme.FAINT,
        },
        "meta": _of_arrows(start, ids), "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip


def _lines(start: np.ndarray, end: np.ndarray, ids: list[int], colours: dict[int, str]) -> dict:
    """The arrows in 3-D as lines, since Plotly has no arrowheads there."""
    return {
        "type": "scatter3d", "mode": "lines", **_coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": 3, "color": [colours[id_] for id_ in ids for _ in range(3)]},
        "showlegend": False, "meta": _of_arrows(start, ids),
    }  # fmt: skip


def _of_arrows(start: np.ndarray, ids: list[int]) -> dict:
    """Where arrows start, and the token and the position to which each of their three points belongs."""
    return {
        "start": _coordinates(_interleave(start, start)),
        "ids": [id_ for id_ in ids for _point in range(3)],
        "also": [[position_id(n)] for n in range(len(ids)) for _point in range(3)],
    }


def _legend() -> dict:
    return theme.legend(itemclick="toggle", itemdoubleclick="toggleothers", font={"size": 14})


def _legend_entries(groups: list[_Group], symbols: dict[str, str], nowhere: dict) -> list[dict]:
    """The entries of the legend. It explains shapes, so its marks have no token's colour."""
    line = {"width": 2, "color": theme.INK}
    return [
        {
            **nowhere, "mode": "markers", "name": group.name, "legendgroup": group.name, "showlegend": True,
            "hoverinfo": "skip",
            "marker": {"symbol": symbols[group.kind], "size": 10, "color": theme.INK, "line": line},
        }
        for group in groups
    ]  # fmt: skip


def _ends(scene: "Scene") -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    return (scene.tokens_a, scene.inputs_a), (scene.tokens_b, scene.inputs_b)


def _interleave(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    gap = np.full_like(start, np.nan)
    return np.stack([start, end, gap], axis=1).reshape(-1, start.shape[1])  # (3 T, n)


def _coordinates(points: np.ndarray) -> dict:
    """Split float32 points (N, n) into one contiguous array for each axis, which is sent as it lies in memory."""
    return {axis: np.ascontiguousarray(points[:, n]) for n, axis in enumerate("xyz"[: points.shape[1]])}


def _ranges(groups: list[_Group]) -> list[tuple[float, float]]:
    """Ranges of the axes with room for every point at every moment of the animation, and for labels at the edges."""
    points = np.concatenate([part for group in groups for part in (group.start, group.end)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.14 * (high - low) + 1e-3 + 0.01 * np.abs(points).max()
    return list(zip((low - room).tolist(), (high + room).tolist(), strict=True))
