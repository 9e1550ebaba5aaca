"""Tokens, positions and their sums as points, with an arrow for each added position."""

import html

import numpy as np

from embedviz.figures import theme
from embedviz.figures.figure import Figure
from embedviz.figures.labels import in_figure
from embedviz.figures.placement import place
from embedviz.scene import Scene

_MAX_LABELS = 40
_SYMBOLS = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x-thin"}
_LEGEND = {
    "legend": {
        "orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left", "itemclick": "toggle",
        "bgcolor": "rgba(0,0,0,0)", "font": {"size": 14}, "itemwidth": 30, "tracegroupgap": 0,
    },
    "showlegend": True,
}  # fmt: skip
_SYMBOLS_3D = {"token": "circle-open", "a": "circle", "b": "diamond", "position": "x"}


def sum_scatter(
    scene: Scene, ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]
) -> Figure:
    """The points of a Scene in 2-D or 3-D; the axes say how much of the variance they carry.

    ids, texts: token IDs and texts of A and of B. At most 40 points carry labels; beyond that the
    pointer shows them.
    """
    return _flat(scene, ids, texts) if len(scene.explained) == 2 else _deep(scene, ids, texts)


def _groups(scene: Scene, ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> list[dict]:
    """What is drawn, whatever the number of dimensions: name, end and start of each point, IDs, words."""
    first = {id_: n for n, id_ in reversed(list(enumerate([*ids[0], *ids[1]])))}
    distinct = sorted(first, key=first.get)
    words = dict(zip([*ids[0], *ids[1]], map(in_figure, [*texts[0], *texts[1]]), strict=True))
    tokens = np.concatenate([scene.tokens_a, scene.tokens_b])[[first[id_] for id_ in distinct]]
    groups = [
        {"name": "token", "kind": "token", "end": tokens, "ids": distinct, "labels": [words[i] for i in distinct]}
    ]
    for name, end, start, sentence in (
        ("A: input", scene.inputs_a, scene.tokens_a, 0),
        ("B: input", scene.inputs_b, scene.tokens_b, 1),
    ):
        groups.append(
            {
                "name": name, "kind": "ab"[sentence], "end": end, "start": start, "ids": ids[sentence],
                "labels": [f"{'AB'[sentence]}{n}" for n in range(len(end))],
                "hover": [f"{words[id_]} {'AB'[sentence]}{n}" for n, id_ in enumerate(ids[sentence])],
            }
        )  # fmt: skip
    if np.any(scene.positions != scene.origin):
        positions = {
            "name": "position", "kind": "position", "end": scene.positions, "ids": None,
            "start": np.broadcast_to(scene.origin, scene.positions.shape),
            "labels": [str(n) for n in range(len(scene.positions))],
        }  # fmt: skip
        groups.append(positions)
    return [group for group in groups if len(group["end"])]


def _flat(scene: Scene, ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> Figure:
    groups = _groups(scene, ids, texts)
    ranges = _ranges(groups)
    colours = theme.token_colours([*ids[0], *ids[1]])
    traces = [_arrows(scene, ids, sentence) for sentence in (0, 1)] if len(groups) > 1 else []
    labels = [group["labels"] for group in groups]
    few = sum(map(len, labels)) <= _MAX_LABELS
    ends, widths = [group["end"] for group in groups], [_widths(group) for group in groups]
    sides = place(ends, widths, ranges, _along_arrows(scene)) if few else labels
    traces += [
        _markers(group, colours, few) | {"type": "scatter", "textposition": side if few else None, "cliponaxis": False}
        for group, side in zip(groups, sides, strict=True)
    ]
    axes = {
        f"{axis}axis": {
            "title": {"text": f"PC {n + 1} ({scene.explained[n]:.0%} of the variance)", "standoff": 6}, "range": list(ranges[n]),
            "showticklabels": False, "ticks": "", "gridcolor": theme.GRID, "zeroline": False, "nticks": 6,
        }
        for n, axis in enumerate("xy")
    }  # fmt: skip
    traces += _legend_entries(groups, _SYMBOLS, "scatter")
    return theme.figure(traces, **axes, **_LEGEND, dragmode="pan", margin={"l": 30, "r": 8, "t": 30, "b": 34})


def _deep(scene: Scene, ids: tuple[list[int], list[int]], texts: tuple[list[str], list[str]]) -> Figure:
    groups = _groups(scene, ids, texts)
    ranges = _ranges(groups)
    colours = theme.token_colours([*ids[0], *ids[1]])
    few = sum(len(group["labels"]) for group in groups) <= _MAX_LABELS
    traces = [_lines(scene, ids, sentence, colours) for sentence in (0, 1)] if len(groups) > 1 else []
    traces += [_markers(group, colours, few, deep=True) | {"type": "scatter3d"} for group in groups]
    axes = {
        f"{axis}axis": {
            "title": {"text": f"PC {n + 1} ({scene.explained[n]:.0%})"}, "range": list(ranges[n]), "showticklabels": False,
            "gridcolor": theme.GRID, "zeroline": False, "showbackground": False, "showspikes": False,
        }
        for n, axis in enumerate("xyz")
    }  # fmt: skip
    space = {**axes, "dragmode": "orbit", "aspectmode": "cube", "camera": {"eye": {"x": 1.45, "y": 1.45, "z": 0.7}}}
    traces += _legend_entries(groups, _SYMBOLS_3D, "scatter3d")
    return theme.figure(traces, scene=space, **_LEGEND, margin={"l": 0, "r": 0, "t": 26, "b": 0})


def _markers(group: dict, colours: dict[int, str], labelled: bool, deep: bool = False) -> dict:
    n = len(group["end"])
    colour = [colours[id_] for id_ in group["ids"]] if group["ids"] else theme.FAINT
    symbols = _SYMBOLS_3D if deep else _SYMBOLS
    size = 12 if group["kind"] == "token" else 7 if group["kind"] == "position" else 10
    thick = {"width": 2, "color": colour} if group["kind"] in ("token", "position") and not deep else {"width": 0}
    meta = {"ids": group["ids"]} if group["ids"] else {}
    if "start" in group:
        meta["start"] = _coordinates(group["start"])
    return {
        **_coordinates(group["end"]), "name": group["name"], "mode": "markers+text" if labelled else "markers",
        "text": group["labels"], "hovertext": group.get("hover", group["labels"]), "hoverinfo": "text+name",
        "marker": {"symbol": symbols[group["kind"]], "size": [size] * n if deep else size, "color": colour, "line": thick},
        "textfont": {"color": colour, "size": 15 if group["kind"] == "token" else 12}, "meta": meta,
        "legendgroup": group["name"], "showlegend": False, "unselected": {"marker": {"opacity": 0.12}, "textfont": {"color": "rgba(128,128,128,0.25)"}},
    }  # fmt: skip


def _widths(group: dict) -> list[float]:
    """About how wide each label will be, in pixels."""
    per_char = 8.5 if group["kind"] == "token" else 7.0
    return [per_char * len(html.unescape(label)) for label in group["labels"]]


def _arrows(scene: Scene, ids: tuple[list[int], list[int]], sentence: int) -> dict:
    """Token to input, one trace a sentence: three points an arrow, the third a gap."""
    start, end = _ends(scene, sentence)
    n = len(start)
    return {
        "type": "scatter", "mode": "lines+markers", **_coordinates(_interleave(start, end)),
        "line": {"width": 1.5, "color": theme.FAINT}, "hoverinfo": "skip", "showlegend": False, "opacity": 0.75,
        "marker": {
            "symbol": "arrow", "angleref": "previous", "size": [0, 10, 0] * n, "standoff": [0, 6, 0] * n,
            "color": theme.FAINT,
        },
        "meta": {"start": _coordinates(_interleave(start, start))},
    }  # fmt: skip


def _along_arrows(scene: Scene) -> np.ndarray:
    """Points on the arrows, which labels should not cover, shape (M, 2)."""
    shares = np.linspace(0.2, 0.8, 4)[:, None, None]
    ends = [_ends(scene, sentence) for sentence in (0, 1)]
    return np.concatenate([(start + shares * (end - start)).reshape(-1, 2) for start, end in ends])


def _lines(
    scene: Scene, ids: tuple[list[int], list[int]], sentence: int, colours: dict[int, str]
) -> dict:
    start, end = _ends(scene, sentence)
    return {
        "type": "scatter3d", "mode": "lines", **_coordinates(_interleave(start, end)), "hoverinfo": "skip",
        "line": {"width": 3, "color": [colours[id_] for id_ in ids[sentence] for _ in range(3)]},
        "showlegend": False, "meta": {"start": _coordinates(_interleave(start, start))},
    }  # fmt: skip


def _ends(scene: Scene, sentence: int) -> tuple[np.ndarray, np.ndarray]:
    return (
        (scene.tokens_a, scene.inputs_a) if sentence == 0 else (scene.tokens_b, scene.inputs_b)
    )


def _interleave(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    gap = np.full_like(start, np.nan)
    return np.stack([start, end, gap], axis=1).reshape(-1, start.shape[1])  # (3 T, n)


def _coordinates(points: np.ndarray) -> dict:
    """float32 (N, n) to one contiguous array an axis, which travels as base64."""
    return {axis: np.ascontiguousarray(points[:, n]) for n, axis in enumerate("xyz"[: points.shape[1]])}


def _ranges(groups: list[dict]) -> list[tuple[float, float]]:
    """Room for every point at every moment of the animation, and for the labels at the rim."""
    points = np.concatenate([group[key] for group in groups for key in ("start", "end") if key in group])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.14 * (high - low) + 1e-3 + 0.01 * np.abs(points).max()
    return [(float(a), float(b)) for a, b in zip(low - room, high + room, strict=True)]


def _legend_entries(groups: list[dict], symbols: dict[str, str], kind: str) -> list[dict]:
    """The legend is about shape, so its marks carry no token's colour."""
    nowhere = [None]
    return [
        {
            "type": kind, "mode": "markers", "x": nowhere, "y": nowhere, "name": group["name"], "showlegend": True,
            "legendgroup": group["name"], "hoverinfo": "skip",
            "marker": {"symbol": symbols[group["kind"]], "size": 10, "color": theme.INK, "line": {"width": 2, "color": theme.INK}},
        } | ({"z": nowhere} if kind == "scatter3d" else {})
        for group in groups
    ]  # fmt: skip
