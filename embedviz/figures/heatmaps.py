"""Vectors as rows of colour: token + positional = input, sentence A above sentence B."""

from collections.abc import Sequence

import numpy as np

from embedviz.figures import theme
from embedviz.figures.figure import Figure
from embedviz.figures.labels import in_figure, on_axis

_TITLES = ("token embedding", "+ positional embedding", "= input embedding")
_SHORT_TITLES = ("token", "+ position", "= input")
_X_AXES = ("xaxis", "xaxis2", "xaxis3")
_MAX_LABELS = 19
_GAP = 0.03
_SHOWN = 99.0  # percentile of |value| at which the colours end: the few beyond would pale the rest
_WIDTH = (1 - 2 * _GAP) / 3


def sum_heatmaps(
    parts_a: Sequence[np.ndarray],
    parts_b: Sequence[np.ndarray],
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
) -> Figure:
    """Three panels on one diverging scale centred on zero.

    parts_a, parts_b: token, positional and input vectors, float32 arrays of shape (T, D) each.
    ids, texts: token IDs and texts of A and of B.
    """
    panels = [_stack(a, b) for a, b in zip(parts_a, parts_b, strict=True)]
    row_ids = [*ids[0], *([None] if all(ids) else []), *ids[1]]
    figure = _three_panels(panels, _row_names(texts), row_ids, _TITLES)
    figure.data[2]["meta"]["start_trace"] = 0
    return figure


def row_heatmap(
    rows_a: np.ndarray,
    rows_b: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    name: str,
) -> Figure:
    """Vectors of A above those of B, float32 arrays of shape (T, D), on a diverging scale centred on zero."""
    panel, rows = _stack(rows_a, rows_b), _row_names(texts)
    row_ids = [*ids[0], *([None] if all(ids) else []), *ids[1]]
    axis = _colour_axis(float(np.nanpercentile(np.abs(panel), _SHOWN)) or 1.0)
    return theme.figure(
        [_panel(panel, 0, rows, row_ids, name)],
        yaxis=_row_axis(rows, row_ids),
        xaxis=_dimensions(panel.shape[1], 0, parts=8) | {"domain": [0, 1]},
        coloraxis=axis,
        margin={"l": 92, "r": 64, "t": 8, "b": 40},
        shapes=_separators(len(rows)),
        meta={
            "narrow": {
                "margin": {"l": 86, "r": 4, "t": 8, "b": 40},
                "coloraxis": axis | {"showscale": False},
                "xaxis": _dimensions(panel.shape[1], 0, parts=4) | {"domain": [0, 1]},
            }
        },
    )


def batch_heatmaps(
    token: np.ndarray, positional: np.ndarray, total: np.ndarray, texts: Sequence[Sequence[str]]
) -> Figure:
    """A batch as rows: the positional vectors stand there once for each window, since they are used again.

    token, total: float32 arrays of shape (B, L, D); positional: (L, D); texts: of the tokens, (B, L).
    Rows of one position share an ID, so pointing at one shows where its numbers are used.
    """
    n_windows, length, n_dims = token.shape
    repeated = np.broadcast_to(positional, token.shape)
    panels = [np.ascontiguousarray(part).reshape(-1, n_dims) for part in (token, repeated, total)]  # (B L, D)
    rows = [f"{b}·{t} {in_figure(text)}" for b, line in enumerate(texts) for t, text in enumerate(line)]
    shape = f"{n_windows} × {length} × {n_dims}"
    titles = (f"token {shape}", f"+ positional {length} × {n_dims}, {n_windows} times", f"= input {shape}")
    return _three_panels(panels, rows, list(range(length)) * n_windows, titles)


def _three_panels(
    panels: list[np.ndarray], rows: list[str], row_ids: list[int | None], titles: Sequence[str]
) -> Figure:
    n_dims = panels[0].shape[1]
    limit = float(np.nanpercentile(np.abs(panels), _SHOWN)) if rows else 1.0
    axis = _colour_axis(limit or 1.0)
    return theme.figure(
        [_panel(panel, n, rows, row_ids, title) for n, (panel, title) in enumerate(zip(panels, titles, strict=True))],
        yaxis=_row_axis(rows, row_ids),
        **{name: _dimensions(n_dims, n, parts=4) for n, name in enumerate(_X_AXES)},
        coloraxis=axis,
        margin={"l": 92, "r": 64, "t": 30, "b": 40},
        annotations=_headings(titles),
        shapes=_separators(len(rows)),
        meta={
            "narrow": {
                "annotations": _headings(_SHORT_TITLES),
                "margin": {"l": 86, "r": 4, "t": 30, "b": 40},
                "coloraxis": axis | {"showscale": False},
                **{name: _dimensions(n_dims, n, parts=2) for n, name in enumerate(_X_AXES)},
            }
        },
    )


def _separators(n_rows: int) -> list[dict]:
    """Lines between the rows. A heatmap's own `ygap` would have the browser paint every cell by itself."""
    if n_rows > _MAX_LABELS:
        return []
    line = {"color": theme.SURFACE, "width": 2}
    return [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": n + 0.5, "y1": n + 0.5, "line": line}
        for n in range(n_rows - 1)
    ]


def _headings(titles: Sequence[str]) -> list[dict]:
    return [theme.heading(title, n * (_WIDTH + _GAP) + _WIDTH / 2, xanchor="center") for n, title in enumerate(titles)]


def _stack(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A above B with an empty row between them, shape (T_A + 1 + T_B, D)."""
    gap = np.full((1 if len(a) and len(b) else 0, a.shape[1]), np.nan, np.float32)
    return np.concatenate([a, gap, b])


def _row_names(texts: tuple[list[str], list[str]]) -> list[str]:
    names = [
        [f"{sentence}{n} {in_figure(text)}" for n, text in enumerate(words)]
        for sentence, words in zip("AB", texts, strict=True)
    ]
    return [*names[0], *([" "] if all(texts) else []), *names[1]]


def _panel(panel: np.ndarray, n: int, rows: list[str], row_ids: list[int | None], title: str) -> dict:
    return {
        "type": "heatmap", "name": title, "z": panel, "y": rows, "xaxis": f"x{n + 1}", "yaxis": "y",
        "coloraxis": "coloraxis",
        "hoverongaps": False, "meta": {"ids": row_ids},
        "hovertemplate": "%{y}, dimension %{x}<br><b>%{z:.4f}</b><extra></extra>",
    }  # fmt: skip


def _row_axis(rows: list[str], row_ids: list[int | None]) -> dict:
    colours = theme.token_colours(id_ for id_ in row_ids if id_ is not None)
    every = -(-len(rows) // _MAX_LABELS)
    shown = [n for n, id_ in enumerate(row_ids) if id_ is not None and n % every == 0]
    return {
        "autorange": "reversed", "type": "category", "tickmode": "array", "ticks": "", "showgrid": False,
        "zeroline": False, "fixedrange": True, "tickvals": [rows[n] for n in shown],
        "ticktext": [f'<span style="color:{colours[row_ids[n]]}">{on_axis(rows[n])}</span>' for n in shown],
    }  # fmt: skip


def _dimensions(n_dims: int, panel: int, parts: int) -> dict:
    """The axis below a panel, with ticks at the start of each of its parts."""
    left = panel * (_WIDTH + _GAP)
    return {
        "domain": [left, left + _WIDTH], "anchor": "y", "showgrid": False, "zeroline": False, "ticks": "outside",
        "tickvals": sorted({n_dims * k // parts for k in range(parts)}), "ticklen": 4, "tickcolor": theme.GRID,
        "tickangle": 0, "title": {"text": "dimension", "standoff": 2}, "range": [-0.5, n_dims - 0.5],
        "matches": "x" if panel else None,
    }  # fmt: skip


def _colour_axis(limit: float) -> dict:
    return {
        "cmin": -limit, "cmax": limit, "cmid": 0, "colorscale": theme.DIVERGING,
        "colorbar": {
            "thickness": 9, "outlinewidth": 0, "x": 1.01, "xpad": 0, "len": 1, "tickvals": [-limit, 0, limit],
            "ticktext": [f"≤ −{limit:.3g}", "0", f"≥ {limit:.3g}"],
        },
    }  # fmt: skip
