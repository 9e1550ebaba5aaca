"""The biases of several heads against distance, a line each, with the heads' names at the right ends."""

from dataclasses import replace

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line, plane_axis
from embedviz.figures.figure import Figure, Panel, figure, line_end

NEAR = 16  # tokens
_MOST_NAMED = 16  # more names do not fit


def bias_chart(distances: np.ndarray, biases: np.ndarray) -> Figure:
    """On the left the distances up to NEAR, where buckets are small, on the right all of them, on one scale.

    distances: key - query, whole numbers (K,). biases: what each head adds, float32 (H, K).
    """
    marks, reach = theme.token_marks(range(len(biases))).values(), int(distances[-1])
    lines = [
        Line(
            _("head {n}", n=n + 1), values, f"var(--token-{colour})", 2, theme.DASHES[again % len(theme.DASHES)], "hvh"
        )
        for n, (values, (colour, again)) in enumerate(zip(biases, marks, strict=True))
    ]
    low, high = float(biases.min()), float(biases.max())
    room = (high - low) * 0.05 or 1.0
    y = {"range": [low - room, high + room], "nticks": 7}
    named = lines if len(lines) <= _MOST_NAMED else []
    ends = [line_end(line.name, float(line.values[-1]), line.colour, 13) for line in named]
    near = _("Near: up to {n} tokens", n=min(NEAR, reach))
    far = _("All distances, up to {n} tokens", n=reach)
    return figure(
        [
            _panel(near, distances, lines, min(NEAR, reach), y=plane_axis(_("added to the score"), **y)),
            _panel(far, distances, lines, reach, y=plane_axis(**y), notes=ends),
        ]
    )


def _panel(title: str, distances: np.ndarray, lines: list[Line], reach: int, **more: object) -> Panel:
    shown = np.abs(distances) <= reach
    traces = [replace(line, values=line.values[shown]).drawn(distances[shown]) for line in lines]
    x = plane_axis(_("key − query"), range=[-reach, reach])
    return Panel(traces, x, title=title, is_left=True, rem=22, **more)
