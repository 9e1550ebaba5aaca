"""Distances between the tokens of A and those of B, before and after positions are added."""

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.axes import in_order, sentence_names, token_axis
from embedviz.figures.theme import Figure

_TITLES = (N_("before: token vectors"), N_("after: input vectors"))
_SHORT_TITLES = (N_("before"), N_("after"))
_MAX_NUMBERS = 14
_MAX_FRAMES = 400  # more frames than this would hide the cells
_WIDTH = 0.465


def distance_matrices(
    before: np.ndarray,
    after: np.ndarray,
    shared: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    *,
    positions: np.ndarray | None = None,
) -> Figure:
    """Two matrices on one scale that starts at zero; a frame marks pairs that share a token ID.

    before, after: Euclidean distances, arrays of shape (T_A, T_B). shared: bool array of the same shape. positions:
    the distances between the added vectors, from which the page computes the distances on the way from before to
    after; without them nothing moves.
    """
    names = sentence_names(texts)
    limit = max(float(before.max(initial=0)), float(after.max(initial=0))) or 1.0
    numbers = max(before.shape, default=0) <= _MAX_NUMBERS
    traces = [_matrix(matrix, n, names, ids, numbers) for n, matrix in enumerate((before, after))]
    if positions is not None:
        traces[1]["meta"] |= {"start_trace": 0, "apart": positions.astype(np.float32)}
    return theme.figure(
        traces,
        **_axes(names, ids),
        coloraxis=theme.sequential(limit, colorbar=theme.colour_bar(1.01, nticks=4)),
        margin={"l": 92, "r": 64, "t": 34, "b": 74},
        shapes=[frame for n in range(2) for frame in cell_frames(shared, n)],
        annotations=_headings(_TITLES),
        meta={
            "at_share": {"heading": 1, "text": _("with {share} % of the position added", share="{}"), "narrow": "{} %"},
            "narrow": {
                "annotations": _headings(_SHORT_TITLES),
                "margin": {"l": 86, "r": 4, "t": 34, "b": 74},
                "coloraxis": theme.sequential(limit, showscale=False),
            }
        },
    )  # fmt: skip


def _headings(titles: tuple[str, str]) -> list[dict]:
    shown = enumerate(map(translated, titles))
    return [theme.heading(title, n * (1 - _WIDTH) + _WIDTH / 2, xanchor="center") for n, title in shown]


def _matrix(
    matrix: np.ndarray, n: int, names: list[list[str]], ids: tuple[list[int], list[int]], numbers: bool
) -> dict:
    return {
        "type": "heatmap", "name": translated(_TITLES[n]), "z": matrix.astype(np.float32), "x": names[1], "y": names[0],
        "xaxis": f"x{n + 1}",
        "yaxis": f"y{n + 1}", "coloraxis": "coloraxis", "xgap": 1, "ygap": 1,
        "texttemplate": "%{z:.1f}" if numbers else None,
        "meta": {"ids": ids[0], "column_ids": ids[1]},
        "hovertemplate": _("{row} and {column}<br>distance <b>{value}</b>", row="%{y}", column="%{x}", value="%{z:.4f}")
        + theme.NO_EXTRA,
    }  # fmt: skip


def cell_frames(shared: np.ndarray, n: int) -> list[dict]:
    """A frame around each cell of panel n whose two tokens share an ID, for up to 400 of them."""
    cells = np.argwhere(shared)[:_MAX_FRAMES]
    return [
        {
            "type": "rect", "xref": f"x{n + 1}", "yref": f"y{n + 1}", "x0": j - 0.44, "x1": j + 0.44, "y0": i - 0.44,
            "y1": i + 0.44, "line": {"width": 2, "color": theme.INK},
        }
        for i, j in cells.tolist()
    ]  # fmt: skip


def _axes(names: list[list[str]], ids: tuple[list[int], list[int]]) -> dict:
    colours = theme.token_colours([*ids[0], *ids[1]])
    axes: dict = {}
    for n in range(2):
        left = n * (1 - _WIDTH)
        axes[f"xaxis{n + 1}"] = {
            "domain": [left, left + _WIDTH], "anchor": f"y{n + 1}", "side": "bottom", "tickangle": -45,
            **token_axis(names[1], ids[1], colours), **in_order(names[1]),
        }  # fmt: skip
        axes[f"yaxis{n + 1}"] = {
            "anchor": f"x{n + 1}", "autorange": "reversed",
            **token_axis(names[0], ids[0], colours), **in_order(names[0]), "showticklabels": n == 0,
        }  # fmt: skip
    return axes
