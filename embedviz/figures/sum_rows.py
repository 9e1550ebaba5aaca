"""A sum of vectors as rows of colour, and how far the sum is from the vectors that it is compared with."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _, numeral
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_MOST_NUMBERS = 8  # that are written into the cells


def sum_rows(values: np.ndarray, names: Sequence[str], distances: Sequence[float | None]) -> Figure:
    """Vectors as rows, float32 of shape (R, D), and a bar beside each row that has a distance."""
    n_rows, n_columns = values.shape
    limit = theme.limit_of(values)
    hover = _("{row}, dimension {column}<br><b>{value}</b>", row="%{y}", column="%{x}", value="%{z:.4f}")
    cells = theme.heatmap(
        _("numbers"), values, hover, y=list(range(n_rows)), ygap=4,
        text=[[in_print(number) for number in row] for row in values.tolist()] if n_columns <= _MOST_NUMBERS else None,
        texttemplate="%{text}" if n_columns <= _MOST_NUMBERS else None, textfont={"size": 16},
    )  # fmt: skip
    y = theme.axis(grid=False, ticks="", range=[n_rows - 0.5, -0.5], tickfont={"size": 15},
                   tickvals=list(range(n_rows)), ticktext=list(names))  # fmt: skip
    x = theme.axis(_("dimension"), grid=False, range=[-0.5, n_columns - 0.5], nticks=min(n_columns + 1, 9))
    longest = max(distance for distance in distances if distance is not None)
    lengths = theme.axis(grid=False, range=[0, 2.2 * longest or 1.0], nticks=3)
    return figure(
        [
            Panel([cells], x, y, _("the numbers"), width=2.4),
            Panel([_bars(distances)], lengths, None, _("distance from the input")),
        ],
        columns=(0, 2),
        coloraxis=theme.around_zero(limit),
    )


def _bars(distances: Sequence[float | None]) -> dict:
    rows = [n for n, distance in enumerate(distances) if distance is not None]
    lengths = np.array([distances[n] for n in rows], np.float32)
    return {
        "type": "bar", "orientation": "h", "x": lengths, "y": rows, "width": 0.5, "marker": {"color": theme.FAINT},
        "text": [numeral(length, ".3g") for length in lengths.tolist()], "textposition": "outside",
        "textfont": {"size": 16}, "cliponaxis": False, "hoverinfo": "skip",
    }  # fmt: skip
