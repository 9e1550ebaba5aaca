"""Which dimensions of a head are turned, as strips drawn to scale, and what becomes of a score over the distance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line
from embedviz.figures.theme import Figure

TURNED, STILL = "var(--token-0)", "var(--faint)"


@dataclass(frozen=True)
class DimensionStrip:
    """A model's head. turned: which dimensions are, bool (D,). chosen: whether the curves are this model's."""

    name: str
    turned: np.ndarray
    chosen: bool


def dimension_strips(strips: Sequence[DimensionStrip], lines: Sequence[Line]) -> Figure:
    """Draw the strips on the left and the curves on the right, or one below the other where there is little room."""
    widest = max(len(strip.turned) for strip in strips)
    traces = [_strips(strips, widest), *(_line(line) for line in lines)]
    sides = {"t": 34, "b": 46}
    return theme.figure(
        traces,
        **_axes(strips, widest, lines, ((0, 0.44), (0.53, 1)), ((0, 1), (0, 1))),
        margin={"l": 112, "r": 16, **sides},
        meta={
            "narrow": {
                **_axes(strips, widest, lines, ((0, 1), (0, 1)), ((0.58, 1), (0, 0.42))),
                "margin": {"l": 98, "r": 8, **sides},
                "height": "44rem",
            }
        },
    )


def _strips(strips: Sequence[DimensionStrip], widest: int) -> dict:
    """One row a model: 1 for a turned dimension, 0 for one that is not, nothing beyond the head."""
    rows = np.full((len(strips), widest), np.nan, np.float32)
    for row, strip in zip(rows, strips, strict=True):
        row[: len(strip.turned)] = strip.turned
    scale = [[0, STILL], [0.5, STILL], [0.5, TURNED], [1, TURNED]]
    said = np.where(np.isnan(rows), "", np.where(rows > 0, _("turned"), _("not turned")))
    return {
        "type": "heatmap", "name": _("dimensions of a head"), "z": rows, "y": [strip.name for strip in strips],
        "zmin": 0, "zmax": 1, "colorscale": scale, "showscale": False, "hoverongaps": False, "opacity": 0.75,
        "text": said.tolist(), "xaxis": "x1", "yaxis": "y1",
        "hovertemplate": _("{model}, dimension {n}: {what}", model="%{y}", n="%{x}", what="%{text}") + theme.NO_EXTRA,
    }  # fmt: skip


def _line(line: Line) -> dict:
    return {
        "type": "scatter", "mode": "lines", "name": line.name, "x": np.arange(len(line.values), dtype=np.float32),
        "y": line.values.astype(np.float32), "xaxis": "x2", "yaxis": "y2",
        "line": {"color": line.colour, "width": line.width, "dash": line.dash},
        "hovertemplate": _("{name}<br>{n} tokens apart: <b>{value}</b>", name=line.name, n="%{x}", value="%{y:.3f}")
        + theme.NO_EXTRA,
    }  # fmt: skip


def _axes(strips: Sequence[DimensionStrip], widest: int, lines: Sequence[Line], across: Sequence, up: Sequence) -> dict:
    usual = {"fixedrange": True, "zeroline": False}
    heads = [f"<b>{strip.name}</b>" if strip.chosen else strip.name for strip in strips]
    return {
        "xaxis1": {
            "domain": list(across[0]), "anchor": "y1", "range": [-0.5, widest - 0.5], "showgrid": False,
            "title": _title(_("dimension")), **usual,
        },
        "yaxis1": {
            "domain": list(up[0]), "anchor": "x1", "type": "category", "autorange": "reversed", "showgrid": False,
            "tickvals": [strip.name for strip in strips], "ticktext": heads, "ticks": "", **usual,
        },
        "xaxis2": {
            "domain": list(across[1]), "anchor": "y2", "gridcolor": theme.GRID,
            "title": _title(_("tokens apart")), **usual,
        },
        "yaxis2": {
            "domain": list(up[1]), "anchor": "x2", "gridcolor": theme.GRID, "nticks": 6,
            "title": _title(_("score")), **usual | {"zeroline": True, "zerolinecolor": theme.FAINT},
        },
        "annotations": [
            theme.heading(_("Which dimensions are turned"), across[0][0], up[0][1], xanchor="left"),
            theme.heading(
                " + ".join(_coloured(line) for line in lines[:-1]) + " = " + _coloured(lines[-1]),
                across[1][0], up[1][1], xanchor="left",
            ),
        ],
        "shapes": [*_gaps(len(strips)), *_frames(strips)],
    }  # fmt: skip


def _coloured(line: Line) -> str:
    return f'<span style="color:{line.colour}">{line.name}</span>'


def _gaps(n_strips: int) -> list[dict]:
    """Room between the strips; with a heatmap's own gaps, the browser would paint every cell separately."""
    line = {"color": theme.SURFACE, "width": 12}
    return [
        {
            "type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": n - 0.5, "y1": n - 0.5,
            "line": line,
        }
        for n in range(n_strips + 1)
    ]  # fmt: skip


def _frames(strips: Sequence[DimensionStrip]) -> list[dict]:
    """A frame around the strip that was chosen."""
    line = {"color": theme.INK, "width": 2}
    return [
        {
            "type": "rect", "xref": "x", "x0": -0.5, "x1": len(strip.turned) - 0.5, "yref": "y", "y0": n - 0.38,
            "y1": n + 0.38, "line": line, "fillcolor": "rgba(0,0,0,0)",
        }
        for n, strip in enumerate(strips)
        if strip.chosen
    ]  # fmt: skip


def _title(text: str) -> dict:
    return {"text": text, "standoff": 4, "font": {"size": 13}}
