"""Figures of heads: the weights of one of them over two sentences, and all of a model on a board."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _, label_value, numeral
from embedviz.figures import theme
from embedviz.figures.axes import cell_frames, sentence_names, token_matrix
from embedviz.figures.figure import Figure, LayoutMeta, Panel, figure

_MAX_NUMBERS = 8  # rows or columns with numbers in them
_LEAST = 0.005  # a weight whose number is written


def head_maps(
    weights: Sequence[np.ndarray],
    framed: Sequence[np.ndarray],
    picked: tuple[int, int],
    *,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    colour_order: Sequence[int],
    board: np.ndarray | None = None,
    names: Sequence[Sequence[str]] = (),
) -> Figure:
    """A head's weights over A and over B, (T, T), NaN where a mask hides a token. framed: cells in question, bool.

    board: all heads, (n_layers, H), which stand beside it, with the picked one in a frame. names: what they are called.
    """
    title = _("layer {layer}, head {head}", layer=picked[0] + 1, head=picked[1] + 1)
    colours = theme.token_colours(colour_order)
    panels = [
        token_matrix(values, [tokens, tokens], [own, own], _("weight"), title=label_value(sentence, title),
                     colours=colours,
                     shapes=cell_frames(cells), written=_written(values) if len(values) <= _MAX_NUMBERS else None,
                     rem=21 if board is None else 19.3)
        for sentence, values, cells, tokens, own in zip("AB", weights, framed, sentence_names(texts), ids, strict=True)
    ]  # fmt: skip
    scale = theme.sequential(1.0)
    panels = panels if board is None else [_board(board, picked, names), *panels]
    return figure(panels, coloraxis=scale, plot_bgcolor=theme.GRID, meta=LayoutMeta(bars="below"))


def _written(weights: np.ndarray) -> list[list[str]]:
    """The weights as they stand in the cells; nothing where it would be a zero."""
    return [[numeral(weight, ".2f") if weight >= _LEAST else "" for weight in row] for row in weights.tolist()]


def _board(board: np.ndarray, picked: tuple[int, int], names: Sequence[Sequence[str]]) -> Panel:
    n_layers, n_heads = board.shape
    hover = _("layer {layer}, head {head}<br>{name}<b>{weight}</b>", layer="%{y}", head="%{x}", name="%{text}",
              weight="%{z:.3f}")  # fmt: skip
    cells = {"x": list(range(1, n_heads + 1)), "y": list(range(1, n_layers + 1)), "xgap": 2, "ygap": 2}
    named = [[f"{name}<br>" if name else "" for name in row] for row in names]
    trace = theme.heatmap(_("all heads"), board, hover, text=named, **cells)
    layer, head = picked
    frame = {
        "type": "rect", "xref": "x", "yref": "y", "line": {"width": 3, "color": "var(--accent)"},
        "x0": head + 0.5, "x1": head + 1.5, "y0": layer + 0.5, "y1": layer + 1.5,
    }  # fmt: skip
    x = theme.axis(_("head"), grid=False, tickvals=_tick_numbers(n_heads), tickangle=0, range=[0.5, n_heads + 0.5])
    y = theme.axis(_("layer"), grid=False, tickvals=_tick_numbers(n_layers), range=[n_layers + 0.5, 0.5])
    return Panel([trace], x, y, _("all heads"), shapes=[frame], width=1.1, rem=19.3)


def _tick_numbers(n: int) -> list[int]:
    """Numbers from 1 that have room on an axis, the last among them."""
    return list(range(n, 0, -(n // 7 + 1)))[::-1]
