"""The biases of several heads against distance, a line each, with the heads' names at the right ends."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.theme import Figure

NEAR = 16  # tokens
_GAP = 0.075  # between two names, as a share of the height
_MOST_NAMED = 16  # more names do not fit
_DASHES = ("solid", "dash", "dot", "dashdot")  # a dash for each round of colours


def bias_chart(distances: np.ndarray, biases: np.ndarray) -> Figure:
    """On the left the distances up to NEAR, where buckets are small, on the right all of them, on one scale.

    distances: key - query, whole numbers (K,). biases: what each head adds, float32 (H, K).
    """
    marks = theme.token_marks(range(len(biases)))
    near = np.abs(distances) <= NEAR
    traces = [
        _line(distances[shown], values[shown], n, marks[n]) | {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}
        for panel, shown in ((1, near), (2, np.ones(len(distances), bool)))
        for n, values in enumerate(biases)
    ]
    low, high = float(biases.min()), float(biases.max())
    room = (high - low) * 0.05 or 1.0
    span = (low - room, high + room)
    named = len(biases) <= _MOST_NAMED
    names = _names(biases[:, -1], span, marks) if named else []
    reach, wide, narrow = int(distances[-1]), ((0, 0.46), (0.54, 1)), ((0, 1), (0, 1))
    side = {"t": 34, "b": 46, "r": 74 if named else 16}
    return theme.figure(
        traces,
        **_axes(reach, span, wide, ((0, 1), (0, 1)), names),
        margin={"l": 54, **side},
        meta={
            "narrow": {
                **_axes(reach, span, narrow, ((0.57, 1), (0, 0.43)), names),
                "height": "44rem",
                "margin": {"l": 46, **side, "r": 62 if named else 8},
            }
        },
    )


def _axes(
    reach: int, span: tuple[float, float], across: Sequence[tuple], up: Sequence[tuple], names: Sequence[dict]
) -> dict:
    """Where the two panels lie, as shares of the figure. The names stand beside the second one."""
    usual = {"gridcolor": theme.GRID, "zerolinecolor": theme.FAINT, "fixedrange": True}
    layout: dict = {}
    for n, end in ((1, min(NEAR, reach)), (2, reach)):
        sides, height = list(across[n - 1]), list(up[n - 1])
        title = _title(_("key − query"))
        layout[f"xaxis{n}"] = {"domain": sides, "anchor": f"y{n}", "title": title, "range": [-end, end], **usual}
        layout[f"yaxis{n}"] = {"domain": height, "anchor": f"x{n}", "range": list(span), "nticks": 7, **usual}
    layout["yaxis1"]["title"] = _title(_("added to the score"))
    headings = (_("Near: up to {n} tokens", n=min(NEAR, reach)), _("All distances, up to {n} tokens", n=reach))
    low, high = up[1]
    layout["annotations"] = [
        *(theme.heading(text, across[n][0], up[n][1], xanchor="left") for n, text in enumerate(headings)),
        *(name | {"y": low + name["y"] * (high - low)} for name in names),
    ]
    return layout


def _line(distances: np.ndarray, values: np.ndarray, n: int, mark: tuple[int, int]) -> dict:
    colour, again = mark
    name = _("head {n}", n=n + 1)
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": distances.astype(np.float32),
        "y": values.astype(np.float32),
        "line": {"color": f"var(--token-{colour})", "width": 2, "dash": _DASHES[again % len(_DASHES)], "shape": "hvh"},
        "hovertemplate": _(
            "{name}<br>key − query {distance}: <b>{value}</b>", name=name, distance="%{x}", value="%{y:.4g}"
        ) + theme.NO_EXTRA,
    }  # fmt: skip


def _names(ends: np.ndarray, span: tuple[float, float], marks: dict[int, tuple[int, int]]) -> list[dict]:
    """The names, each as near to the end of its line as there is room: from the lowest up, then from the top down."""
    order = np.argsort(ends, kind="stable").tolist()
    heights = [(float(ends[n]) - span[0]) / (span[1] - span[0]) for n in order]
    gap = min(_GAP, 1 / len(heights))
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + gap)
    ceiling = 1.0
    for k in reversed(range(len(heights))):
        heights[k] = min(heights[k], ceiling)
        ceiling = heights[k] - gap
    return [
        {
            "text": _("head {n}", n=n + 1), "x": 1.01, "y": height, "xref": "paper", "yref": "paper",
            "xanchor": "left", "yanchor": "middle", "showarrow": False,
            "font": {"size": 13, "color": f"var(--token-{marks[n][0]})"},
        }
        for n, height in zip(order, heights, strict=True)
    ]  # fmt: skip


def _title(text: str) -> dict:
    return {"text": text, "standoff": 4, "font": {"size": 13}}
