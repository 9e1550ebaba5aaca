"""Distances between the tokens of A and those of B, before and after positions are added."""

import numpy as np

from embedviz.figures import theme
from embedviz.figures.figure import Figure
from embedviz.figures.labels import in_figure, on_axis
from embedviz.texts import _

_TITLES = (_("before: token vectors"), _("after: input vectors"))
_SHORT_TITLES = (_("before"), _("after"))
_MAX_NUMBERS = 14
_MAX_FRAMES = 400  # beyond that a picture of frames would hide the cells
_MAX_LABELS = 19
_WIDTH = 0.465


def distance_matrices(
    before: np.ndarray,
    after: np.ndarray,
    shared: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
) -> Figure:
    """Two matrices on one scale that starts at zero; a frame marks pairs that share a token ID.

    before, after: Euclidean distances, arrays of shape (T_A, T_B); shared: bool, the same shape.
    """
    names = [
        [f"{sentence}{n} {in_figure(text)}" for n, text in enumerate(words)]
        for sentence, words in zip("AB", texts, strict=True)
    ]
    limit = max(float(before.max(initial=0)), float(after.max(initial=0))) or 1.0
    numbers = max(before.shape, default=0) <= _MAX_NUMBERS
    traces = [_matrix(matrix, n, names, ids, numbers) for n, matrix in enumerate((before, after))]
    return theme.figure(
        traces,
        **_axes(names, ids),
        coloraxis={
            "cmin": 0, "cmax": limit, "colorscale": theme.SEQUENTIAL,
            "colorbar": {"thickness": 9, "outlinewidth": 0, "x": 1.01, "xpad": 0, "len": 1, "nticks": 4},
        },
        margin={"l": 92, "r": 64, "t": 34, "b": 74},
        shapes=[frame for n in range(2) for frame in cell_frames(shared, n)],
        annotations=_headings(_TITLES),
        meta={
            "narrow": {
                "annotations": _headings(_SHORT_TITLES),
                "margin": {"l": 86, "r": 4, "t": 34, "b": 74},
                "coloraxis": {"cmin": 0, "cmax": limit, "colorscale": theme.SEQUENTIAL, "showscale": False},
            }
        },
    )  # fmt: skip


def _headings(titles: tuple[str, str]) -> list[dict]:
    return [theme.heading(title, n * (1 - _WIDTH) + _WIDTH / 2, xanchor="center") for n, title in enumerate(titles)]


def _matrix(
    matrix: np.ndarray, n: int, names: list[list[str]], ids: tuple[list[int], list[int]], numbers: bool
) -> dict:
    return {
        "type": "heatmap", "name": _TITLES[n], "z": matrix.astype(np.float32), "x": names[1], "y": names[0],
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
            "domain": [left, left + _WIDTH], "anchor": f"y{n + 1}", "side": "bottom", "fixedrange": True,
            "tickangle": -45,
            **token_axis(names[1], ids[1], colours),
        }  # fmt: skip
        axes[f"yaxis{n + 1}"] = {
            "anchor": f"x{n + 1}", "autorange": "reversed", "fixedrange": True,
            **token_axis(names[0], ids[0], colours), "showticklabels": n == 0,
        }  # fmt: skip
    return axes


def token_axis(names: list[str], ids: list[int], colours: dict[int, str]) -> dict:
    """An axis of tokens, each name in its colour, with room for 19 of them."""
    every = -(-len(names) // _MAX_LABELS) or 1
    shown = range(0, len(names), every)
    return {
        "type": "category", "categoryorder": "array", "categoryarray": names, "tickmode": "array",
        "tickvals": [names[n] for n in shown], "ticks": "", "showgrid": False, "zeroline": False,
        "ticktext": [f'<span style="color:{colours[ids[n]]}">{on_axis(names[n])}</span>' for n in shown],
    }  # fmt: skip
