"""Vectors as rows of colour: those of A above those of B, or of a batch: token + positional = input."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.figures import theme
from embedviz.figures.axes import MAX_LABELS, sentence_names, token_axis
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.text.visible import in_figure

_SHORT_TITLES = (N_("token"), N_("+ position"), N_("= input"))
_SHOWN = 99.0  # percentile of |value| at which the colours end: the few larger values would make the rest pale


def row_heatmap(
    rows_a: np.ndarray,
    rows_b: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    name: str,
) -> Figure:
    """Vectors of A above those of B, float32 arrays of shape (T, D), on a diverging scale centred on zero."""
    rows, row_ids, drawn = _row_names(texts), _stacked_ids(*ids), _stack(rows_a, rows_b)
    return _figure([_panel(drawn, 0, rows, row_ids, name)], [drawn])


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
    shorts = map(translated, _SHORT_TITLES)
    drawn = [
        _panel(panel, n, rows, row_ids, title, title=title, short=short)
        for n, (panel, title, short) in enumerate(zip(panels, titles, shorts, strict=True))
    ]
    return _figure(drawn, panels)


def limit_of(*tables: np.ndarray) -> float:
    """The limit at which the colours of these numbers end, on both sides of zero."""
    numbers = np.abs(np.concatenate([np.ravel(table) for table in tables]))
    return float(np.nanpercentile(numbers, _SHOWN)) or 1.0 if numbers.size else 1.0


def _stack(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A above B with an empty row between them, shape (T_A + 1 + T_B, D)."""
    gap = np.full((1 if len(a) and len(b) else 0, a.shape[1]), np.nan, np.float32)
    return np.concatenate([a, gap, b])


def _stacked_ids(a: list, b: list) -> list:
    """The IDs of the rows of `_stack`, with None for the empty row."""
    return [*a, *([None] if a and b else []), *b]


def _row_names(texts: tuple[list[str], list[str]]) -> list[str]:
    names = sentence_names(texts)
    return [*names[0], *([" "] if all(texts) else []), *names[1]]


def _panel(panel: np.ndarray, n: int, rows: list[str], row_ids: list[int | None], name: str, **titles: str) -> Panel:
    """Panel n of a row of panels, which share the names of the rows. The first draws the lines between these."""
    hover = _("{row}, dimension {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z:.4f}")
    n_dims = panel.shape[1]
    parts = 4 if titles else 8
    x = theme.axis(
        _("dimension"), grid=False, ticks="outside", ticklen=4, tickcolor=theme.GRID, tickangle=0,
        tickvals=sorted({n_dims * k // parts for k in range(parts)}), range=[-0.5, n_dims - 0.5],
    )  # fmt: skip
    y = None if n else token_axis(rows, row_ids) | {"autorange": "reversed"}
    lines = theme.row_separators(len(rows), 2) if n == 0 and len(rows) <= MAX_LABELS else []
    trace = theme.heatmap(name, panel, hover, y=rows, meta={"ids": row_ids})
    return Panel([trace], x, y, shapes=lines, **titles)


def _figure(panels: Sequence[Panel], values: Sequence[np.ndarray]) -> Figure:
    limit = limit_of(*values)
    bar = theme.colour_bar(**theme.from_zero(limit))
    return figure(panels, columns=(0, len(panels)), coloraxis=theme.diverging(limit, colorbar=bar))
