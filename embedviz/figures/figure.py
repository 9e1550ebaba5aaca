"""A figure is a list of panels, each of which says what it needs. The page's script decides where they stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import numpy as np

from embedviz.figures.theme import FONT, GRID, INK, SURFACE


@dataclass(frozen=True)
class Figure:
    """Traces and layout as plain dictionaries that hold NumPy arrays.

    The page sends them as they are, because making Plotly's own figure and reading it back costs 8 of the 12
    milliseconds that an edit may take. The tests have Plotly check every name and value of each figure.
    """

    data: list[dict]
    layout: dict


class TraceMeta(TypedDict, total=False):
    """What the page's scripts need of a trace beyond Plotly: its `meta`, which `payloads.d.ts` declares for them.

    ids: the token's ID of each point or row, None for what is no token, which links the pictures; column_ids: likewise
    of a heatmap's columns. also: what else lights up each point, such as its position. start: the data before positions
    are added. beside, around: whether its names may stand on any side of their points, or farther away too. frames:
    rows of data, one for each moment of a figure that moves; ways: how many places each point of a trail has.
    """

    ids: Sequence[int | None]
    column_ids: Sequence[int]
    also: Sequence[Sequence[str]]
    start: Mapping[str, np.ndarray | str]
    beside: bool
    around: bool
    frames: Mapping[str, np.ndarray]
    ways: int


class LayoutMeta(TypedDict, total=False):
    """What the page's scripts need of a figure beyond Plotly: its layout's `meta`. `figure` writes the first six.

    bars: "below" if colour bars lie below the panels of a narrow screen. names: of the snapshots or moments, headings:
    the notes that show the name of the one on the screen, ranges: the ends of the axes at each. plays: the seconds in
    which a figure goes through its moments when it comes; frames: how many these are, if they have no names.
    """

    panels: Sequence[Mapping[str, float]]
    columns: tuple[int, int]
    once: Sequence[str]
    roles: Mapping[str, Sequence[int]]
    shorts: Mapping[str, str]
    notes: Mapping[str, Mapping[str, np.ndarray]]
    bars: Literal["below"]
    names: Sequence[str]
    headings: Sequence[int]
    ranges: Mapping[str, np.ndarray]
    plays: float
    frames: int


@dataclass(frozen=True)
class Panel:
    """One plane of a figure, and what it needs.

    traces, notes, shapes: as Plotly knows them, with the panel's own axes called "x" and "y". A note or an axis may
    have a "short" text as well, which stands in place of its text or title where there is little room. A note may have
    "frames" as a trace has in its meta: its "x" and "y" at each moment of a figure that moves.
    x, y: the axes. Without y, the panel shares that of the first panel.
    title, short: what stands above the panel, at its left, in this colour and size. sign: what stands before it, such
    as "+", in a colour and a size of its own.
    width: its share of a row. rem: its height where panels stand below each other, or 0 if the figure is as high there
    as elsewhere. joins: whether it touches the panels beside it, as lines from one to the other do.
    gap: how much farther it is from the panel before it than others are, as a multiple of the type.
    """

    traces: Sequence[dict]
    x: dict
    y: dict | None
    title: str = ""
    short: str = ""
    colour: str = INK
    size: int = 15
    sign: str = ""
    sign_colour: str = INK
    sign_size: int = 26
    width: float = 1
    rem: float = 0
    joins: bool = False
    gap: float = 0
    notes: Sequence[dict] = ()
    shapes: Sequence[dict] = ()


def figure(
    panels: Sequence[Panel],
    *,
    columns: tuple[int, int] = (0, 1),
    once: Sequence[str] = (),
    meta: LayoutMeta | None = None,
    **layout: Any,
) -> Figure:
    """A figure in the house style.

    columns: how many panels stand side by side on a wide screen, 0 for all of them, and on a narrow one. once: "x" if
    only the lowest panels name their columns, "y" if only the first of a row names its rows, "title" if only the lowest
    ones say what their columns are. meta: what else the page's script needs. layout: the rest, as Plotly knows it.
    """
    traces, axes, headings, notes, shapes = [], {}, [], [], []
    for n, panel in enumerate(panels):
        number = str(n + 1) if n else ""
        own = {"x": f"x{number}", "y": "y" if panel.y is None else f"y{number}"}
        traces += [trace | {"xaxis": own["x"], "yaxis": own["y"]} for trace in panel.traces]
        axes[f"xaxis{number}"] = _on_own_axes(panel.x | {"anchor": "y", "showgrid": False}, own)
        if panel.y is not None:
            axes[f"yaxis{number}"] = _on_own_axes(panel.y | {"anchor": "x"}, own)
        headings.append(_on_own_axes(_heading(panel), own))
        notes += [_on_own_axes(note, own) for note in (*_signs(panel), *panel.notes)]
        shapes += [_on_own_axes(shape, own) for shape in panel.shapes]
    notes = [*(headings if any(panel.title for panel in panels) else ()), *notes]
    parts = axes | {str(n): note for n, note in enumerate(notes)}
    roles: dict[str, list[int]] = {}
    for n, note in enumerate(notes):
        if "role" in note:
            roles.setdefault(note.pop("role"), []).append(n)
    own_meta = LayoutMeta(
        panels=[{"width": panel.width, "rem": panel.rem, "joins": panel.joins, "gap": panel.gap} for panel in panels],
        columns=columns,
        once=once,
        roles=roles,
        shorts={name: part.pop("short") for name, part in parts.items() if "short" in part},
        notes={name: part.pop("frames") for name, part in parts.items() if "frames" in part},
    )
    base = {
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"font": {"family": FONT, "size": 14, "color": INK}, "bgcolor": SURFACE},
        "showlegend": False,
        "dragmode": False,
    }
    placed = {"annotations": notes, "shapes": shapes, "meta": own_meta | (meta or {})}
    return Figure(traces, base | placed | axes | layout)


def _on_own_axes(part: dict, own: dict[str, str]) -> dict:
    """A copy in which "x" and "y" are the panel's own axes."""
    named = {key: part[key] for key in ("anchor", "scaleanchor", "xref", "yref") if part.get(key, "")[:1] in own}
    return part | {key: own[name[0]] + name[1:] for key, name in named.items()}


def _heading(panel: Panel) -> dict:
    return {
        "role": "heading", "text": panel.title, "xref": "x domain", "x": 0, "xanchor": "left", "align": "left",
        "y": 1, "yref": "y domain", "yanchor": "bottom",
        "showarrow": False, "font": {"size": panel.size, "color": panel.colour},
        **({"short": panel.short} if panel.short else {}),
    }  # fmt: skip


def _signs(panel: Panel) -> list[dict]:
    if not panel.sign:
        return []
    font = {"size": panel.sign_size, "color": panel.sign_colour}
    place = {"xref": "x domain", "x": 0, "xanchor": "center", "yref": "y domain", "y": 0.5, "yanchor": "middle"}
    return [{"role": "sign", "text": panel.sign, "showarrow": False, "font": font, **place}]


def line_end(text: str, y: float, colour: str, size: int = 14) -> dict:
    """The name of a line at its right end, at this height of the axis. The page moves such names apart."""
    place = {"xref": "x domain", "x": 1, "xanchor": "left", "xshift": 6, "yref": "y", "y": y, "yanchor": "middle"}
    return {"role": "end", "text": text, "showarrow": False, "font": {"size": size, "color": colour}, **place}


def blanked(fig: Figure, n: int) -> Figure:
    """The figure with a question mark in place of the numbers of heatmap or bars `n` and of the frames around them."""
    trace = fig.data[n]
    hidden = trace | (_no_bars(trace) if trace["type"] == "bar" else _no_cells(trace))
    here = {"xref": f"{trace['xaxis']} domain", "yref": f"{trace['yaxis']} domain"}
    area = {"type": "rect", **dict.fromkeys(("x0", "y0"), 0), **dict.fromkeys(("x1", "y1"), 1), "fillcolor": GRID}
    mark = {"text": "?", "x": 0.5, "y": 0.5, "xanchor": "center", "yanchor": "middle", "font": {"size": 64}}
    shapes = [  # without a line they still tell the axes how far they reach
        shape | {"line": {"width": 0}} if shape.get("xref") == trace["xaxis"] else shape
        for shape in fig.layout["shapes"]
    ]
    layout = fig.layout | {
        "shapes": [*shapes, area | here | {"layer": "below", "line": {"width": 0}}],
        "annotations": [*fig.layout["annotations"], mark | here | {"showarrow": False}],
    }
    return Figure([*fig.data[:n], hidden, *fig.data[n + 1 :]], layout)


def _no_bars(trace: dict) -> dict:
    # Of bars that have no number Plotly makes no text, and none when they get one. These have no length and no text.
    marker = trace["marker"] | {"line": {"width": 0}}
    return {"x": np.zeros_like(trace["x"]), "texttemplate": " ", "marker": marker}


def _no_cells(trace: dict) -> dict:
    text = {"text": [[""] * len(row) for row in trace["text"]]} if trace.get("text") else {}
    return {"z": np.full_like(trace["z"], np.nan), "hoverongaps": False} | text
