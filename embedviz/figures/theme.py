"""What every figure shares: the class Figure, colours by role, the font, headings and scales."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

FONT = "'Source Sans', sans-serif"
NO_EXTRA = "<extra></extra>"  # ends a hover label, so that no box with the trace's name stands beside it
INK, FAINT, GRID, SURFACE = "var(--ink)", "var(--faint)", "var(--grid)", "var(--surface)"
N_TOKEN_COLOURS = 8
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon2")  # one for each of them
DIVERGING = [
    *([i / 10, f"var(--diverging-{i})"] for i in range(5)),
    [0.5, SURFACE],
    *([i / 10 + 0.1, f"var(--diverging-{i})"] for i in range(5, 10)),
]
SEQUENTIAL = [[i / 9, f"var(--sequential-{i})"] for i in range(10)]


@dataclass(frozen=True)
class Figure:
    """Traces and layout as plain dictionaries that hold NumPy arrays.

    The page sends them as they are, because making a `go.Figure` and reading it back costs 8 of the 12
    milliseconds that an edit may take. All other code calls `to_plotly`, which validates every name and
    value; the tests do so for each figure.
    """

    data: list[dict]
    layout: dict

    def to_plotly(self) -> go.Figure:
        """The figure as a `plotly.graph_objects.Figure`. Raises ValueError for what Plotly does not know."""
        return go.Figure(data=self.data, layout=self.layout)


def token_colours(ids: Iterable[int]) -> dict[int, str]:
    """One colour role for each ID, in order of first appearance, so that neighbours differ."""
    return {id_: f"var(--token-{colour})" for id_, (colour, _again) in token_marks(ids).items()}


def token_marks(ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """The number of each ID's colour, and the round of colours that it belongs to. Each round has its own mark."""
    return {id_: divmod(n, N_TOKEN_COLOURS)[::-1] for n, id_ in enumerate(dict.fromkeys(ids))}


def figure(traces: list[dict], **layout: object) -> Figure:
    """A figure in the house style."""
    base = {
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"font": {"family": FONT, "size": 14, "color": INK}, "bgcolor": SURFACE},
        "showlegend": False,
        "dragmode": False,
    }
    return Figure(traces, base | layout)


def heading(text: str, x: float, y: float = 1.0, **more: object) -> dict:
    """A heading above a panel, as an annotation in paper coordinates."""
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "showarrow": False,
        "yanchor": "bottom", "font": {"size": 15}, **more,
    }  # fmt: skip


def blanked(fig: Figure, n: int, rows: np.ndarray | None = None, title: str | None = None) -> Figure:
    """The figure with question marks in place of some rows of heatmap `n`, or of all rows by default.

    rows: the rows to hide, bool of shape (R,). title: the new name of the heatmap and its heading.
    """
    trace = fig.data[n]
    which = np.ones(len(trace["z"]), bool) if rows is None else rows
    hidden = trace | {"z": np.where(which[:, None], np.float32("nan"), trace["z"]), "hoverongaps": False}
    if title:
        hidden["name"] = title
    layout = _with_question_marks(fig.layout, trace, n, which, title)
    narrow = _with_question_marks(fig.layout["meta"]["narrow"], trace, n, which, title)
    layout["meta"] = layout["meta"] | {"narrow": narrow}
    return Figure([*fig.data[:n], hidden, *fig.data[n + 1 :]], layout)


def _with_question_marks(layout: dict, trace: dict, n: int, which: np.ndarray, title: str | None) -> dict:
    """Add question marks on grey, and axes that stay, to a layout or to the part that replaces it in little room."""
    x, y = trace.get("xaxis", "x"), trace.get("yaxis", "y")
    area = {"xref": f"{x} domain", "x0": 0, "x1": 1, "fillcolor": GRID, "line": {"width": 0}, "layer": "below"}
    mark = {"xref": f"{x} domain", "x": 0.5, "text": "?", "showarrow": False, "xanchor": "center", "yanchor": "middle"}
    if which.all():
        places = [({"yref": f"{y} domain", "y0": 0, "y1": 1}, {"yref": f"{y} domain", "y": 0.5}, 64)]
    else:
        hidden = np.flatnonzero(which).tolist()
        places = [({"yref": y, "y0": k - 0.45, "y1": k + 0.45}, {"yref": y, "y": k}, 18) for k in hidden]
    found = dict(layout)
    if "annotations" in layout:
        kept = [each | {"text": title} if title and k == n else each for k, each in enumerate(layout["annotations"])]
        found["annotations"] = kept + [mark | at | {"font": {"size": size}} for _area, at, size in places]
        found["shapes"] = [*layout.get("shapes", []), *({"type": "rect"} | area | at for at, _mark, _size in places)]
    return found | _kept_ranges(layout, trace, x, y)


def _kept_ranges(layout: dict, trace: dict, x: str, y: str) -> dict:
    """Fix the ranges of the axes, since Plotly finds no range where no numbers are left."""
    if "y" in trace:
        return {}
    n_rows, n_columns = trace["z"].shape
    ends = {f"xaxis{x[1:]}": [-0.5, n_columns - 0.5], f"yaxis{y[1:]}": [n_rows - 0.5, -0.5]}
    return {
        name: layout[name] | {"range": range_, "autorange": False} for name, range_ in ends.items() if name in layout
    }


def diverging(limit: float, **bar: object) -> dict:
    """The colour scale of a picture whose numbers lie around zero: from -limit to limit."""
    return {"cmin": -limit, "cmax": limit, "cmid": 0, "colorscale": DIVERGING, **bar}


def sequential(limit: float, **bar: object) -> dict:
    """The colour scale of a picture whose numbers go from zero to `limit`."""
    return {"cmin": 0, "cmax": limit, "colorscale": SEQUENTIAL, **bar}


def colour_bar(x: float, **more: object) -> dict:
    """The bar that explains the colours of a picture. It stands right of the picture, at `x` of the width."""
    return {"thickness": 9, "outlinewidth": 0, "x": x, "xpad": 0, "len": 1, **more}


def row_separators(n_rows: int, width: float) -> list[dict]:
    """Lines between rows. With a heatmap's own `ygap`, the browser would paint every cell separately."""
    line = {"color": SURFACE, "width": width}
    return [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": n + 0.5, "y1": n + 0.5, "line": line}
        for n in range(n_rows - 1)
    ]
