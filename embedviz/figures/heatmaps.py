"""Vectors as rows of colour: token + positional = input, sentence A above sentence B."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.figures import theme
from embedviz.figures.axes import MAX_LABELS, position_id, sentence_names, token_axis
from embedviz.figures.theme import Figure
from embedviz.text.visible import in_figure

_TITLES = (N_("token embedding"), N_("+ positional embedding"), N_("= input embedding"))
_SHORT_TITLES = (N_("token"), N_("+ position"), N_("= input"))
_X_AXES = ("xaxis", "xaxis2", "xaxis3")
_GAP = 0.03
_SHOWN = 99.0  # percentile of |value| at which the colours end: the few larger values would make the rest pale
_WIDTH = (1 - 2 * _GAP) / 3


def sum_heatmaps(
    parts_a: Sequence[np.ndarray],
    parts_b: Sequence[np.ndarray],
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    *,
    by_token: bool = False,
) -> Figure:
    """Three panels on one diverging scale centred on zero.

    parts_a, parts_b: token, positional and input vectors, float32 arrays of shape (T, D) each.
    ids, texts: token IDs and texts of A and of B. by_token: if True, the copies of a token stand together instead of
    the tokens of a sentence.
    """
    panels = [_stack(a, b) for a, b in zip(parts_a, parts_b, strict=True)]
    row_ids = _stacked_ids(*ids)
    positions = _stacked_ids(*([position_id(n) for n in range(len(of))] for of in ids))
    rows = _row_names(texts)
    if by_token:
        order = _by_token(row_ids)
        panels = [panel[order] for panel in panels]
        rows, row_ids, positions = ([each[n] for n in order] for each in (rows, row_ids, positions))
    figure = _three_panels(panels, rows, row_ids, [*map(translated, _TITLES)])
    for n, (pointed, along) in enumerate([(row_ids, positions), (positions, row_ids), (row_ids, positions)]):
        figure.data[n]["meta"] = {"ids": pointed, "also": [[each] for each in along]}
    figure.data[1]["meta"]["fades"] = True
    figure.data[2]["meta"]["start_trace"] = 0
    figure.layout["meta"]["at_share"] = {
        "heading": 1,
        "text": _("+ {share} % positional embedding", share="{}"),
        "narrow": "+ {} %",
    }
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
    row_ids = _stacked_ids(*ids)
    axis = _colour_axis(limit_of(panel))
    return theme.figure(
        [_panel(panel, 0, rows, row_ids, name)],
        yaxis=token_axis(rows, row_ids) | {"autorange": "reversed"},
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
    """A batch as rows. The positional vectors are shown once for each window, since each window uses them again.

    token, total: float32 arrays of shape (B, L, D). positional: (L, D). texts: the texts of the tokens, (B, L).
    Rows of one position share an ID, so pointing at one row shows where its numbers are used.
    """
    n_windows, length, n_dims = token.shape
    repeated = np.broadcast_to(positional, token.shape)
    panels = [np.ascontiguousarray(part).reshape(-1, n_dims) for part in (token, repeated, total)]  # (B L, D)
    rows = [f"{b}·{t} {in_figure(text)}" for b, line in enumerate(texts) for t, text in enumerate(line)]
    shape = f"{n_windows} × {length} × {n_dims}"
    titles = (
        _("token {shape}", shape=shape),
        ngettext(
            "+ positional {length} × {n_dims}, once",
            "+ positional {length} × {n_dims}, {n} times",
            n_windows,
            length=length,
            n_dims=n_dims,
        ),
        _("= input {shape}", shape=shape),
    )
    return _three_panels(panels, rows, list(range(length)) * n_windows, titles)


def _three_panels(
    panels: list[np.ndarray], rows: list[str], row_ids: list[int | None], titles: Sequence[str]
) -> Figure:
    n_dims = panels[0].shape[1]
    axis = _colour_axis(limit_of(*panels))
    return theme.figure(
        [_panel(panel, n, rows, row_ids, title) for n, (panel, title) in enumerate(zip(panels, titles, strict=True))],
        yaxis=token_axis(rows, row_ids) | {"autorange": "reversed"},
        **{name: _dimensions(n_dims, n, parts=4) for n, name in enumerate(_X_AXES)},
        coloraxis=axis,
        margin={"l": 92, "r": 64, "t": 30, "b": 40},
        annotations=_headings(titles),
        shapes=_separators(len(rows)),
        meta={
            "narrow": {
                "annotations": _headings([*map(translated, _SHORT_TITLES)]),
                "margin": {"l": 86, "r": 4, "t": 30, "b": 40},
                "coloraxis": axis | {"showscale": False},
                **{name: _dimensions(n_dims, n, parts=2) for n, name in enumerate(_X_AXES)},
            }
        },
    )


def limit_of(*tables: np.ndarray) -> float:
    """The limit at which the colours of these numbers end, on both sides of zero."""
    numbers = np.abs(np.concatenate([np.ravel(table) for table in tables]))
    return float(np.nanpercentile(numbers, _SHOWN)) or 1.0 if numbers.size else 1.0


def _separators(n_rows: int) -> list[dict]:
    """Lines between the rows, if the rows are high enough for them."""
    return theme.row_separators(n_rows, 2) if n_rows <= MAX_LABELS else []


def _headings(titles: Sequence[str]) -> list[dict]:
    return [theme.heading(title, n * (_WIDTH + _GAP) + _WIDTH / 2, xanchor="center") for n, title in enumerate(titles)]


def _stack(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A above B with an empty row between them, shape (T_A + 1 + T_B, D)."""
    gap = np.full((1 if len(a) and len(b) else 0, a.shape[1]), np.nan, np.float32)
    return np.concatenate([a, gap, b])


def _stacked_ids(a: list, b: list) -> list:
    """The IDs of the rows of `_stack`, with None for the empty row."""
    return [*a, *([None] if a and b else []), *b]


def _by_token(row_ids: Sequence[int | None]) -> list[int]:
    """The order of the rows by token: their present indices, with tokens in the order of their first appearance."""
    first = {id_: n for n, id_ in reversed([*enumerate(row_ids)])}
    return sorted((n for n, id_ in enumerate(row_ids) if id_ is not None), key=lambda n: (first[row_ids[n]], n))


def _row_names(texts: tuple[list[str], list[str]]) -> list[str]:
    names = sentence_names(texts)
    return [*names[0], *([" "] if all(texts) else []), *names[1]]


def _panel(panel: np.ndarray, n: int, rows: list[str], row_ids: list[int | None], title: str) -> dict:
    return {
        "type": "heatmap", "name": title, "z": panel, "y": rows, "xaxis": f"x{n + 1}", "yaxis": "y",
        "coloraxis": "coloraxis",
        "hoverongaps": False, "meta": {"ids": row_ids},
        "hovertemplate": _("{row}, dimension {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z:.4f}")
        + theme.NO_EXTRA,
    }  # fmt: skip


def _dimensions(n_dims: int, panel: int, parts: int) -> dict:
    """The axis below a panel, with ticks at the start of each of its parts."""
    left = panel * (_WIDTH + _GAP)
    return {
        "domain": [left, left + _WIDTH], "anchor": "y", "showgrid": False, "zeroline": False, "ticks": "outside",
        "tickvals": sorted({n_dims * k // parts for k in range(parts)}), "ticklen": 4, "tickcolor": theme.GRID,
        "tickangle": 0, "title": {"text": _("dimension"), "standoff": 2}, "range": [-0.5, n_dims - 0.5],
        "matches": "x" if panel else None,
    }  # fmt: skip


def _colour_axis(limit: float) -> dict:
    ends = {"tickvals": [-limit, 0, limit], "ticktext": [f"≤ −{limit:.3g}", "0", f"≥ {limit:.3g}"]}
    return theme.diverging(limit, colorbar=theme.colour_bar(1.01, **ends))
