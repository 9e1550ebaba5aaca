"""What three schemes make of the distance between two tokens, as lines over that distance."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line, plane_axis
from embedviz.figures.figure import Figure, Panel, figure, line_end

_COLOURS = {-1: "var(--falls)", 0: "var(--neither)", 1: "var(--rises)"}


def by_distance(
    steps: np.ndarray, alibi: np.ndarray, t5: tuple[np.ndarray, Sequence[int]] | None, **rope: np.ndarray
) -> Figure:
    """ALiBi, T5 if there is one, and RoPE over key - query, whole numbers (S,).

    alibi: what each head adds, (H, S). t5: the same, and of each head -1 if it falls with the distance, 1 if it rises,
    else 0. rope: the scores of "ones", and the "mean" and the "spread" of those of random pairs, (S,).
    """
    past = steps <= 0  # ALiBi's paper has a causal mask
    panels = [_heads((_("ALiBi: every head fades"), _("ALiBi fades")), steps[past], alibi[:, past], [-1] * len(alibi))]
    if t5:
        panels.append(_heads((_("T5: each head as learned"), _("T5 as learned")), steps, *t5, "hvh"))
    return figure([*panels, _rope(steps, **rope)])


def _heads(
    titles: tuple[str, str], steps: np.ndarray, added: np.ndarray, ways: Sequence[int], shape: str = "linear"
) -> Panel:
    lines = [
        Line(_("head {n}", n=n + 1), values, _COLOURS[way], 1.5 if way else 1, shape=shape)
        for n, (values, way) in enumerate(zip(added, ways, strict=True))
    ]
    way_names = {-1: _("falls"), 1: _("rises"), 0: _("neither")}
    last = {way: float(added[np.equal(ways, way), -1].mean()) for way in sorted({*ways})}
    ends = [line_end(way_names[way], y, _COLOURS[way], 13) for way, y in last.items() if len(last) > 1]
    axis = plane_axis(_("added to the score"), nticks=5, range=_range(added))
    return _panel(titles, [line.trace(steps) for line in lines], axis, ends)


def _rope(steps: np.ndarray, *, ones: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> Panel:
    """The band of random pairs and its mean are what the eye falls on; the curve of ones is thin and dotted."""
    above, below = mean + spread, mean - spread
    edge = {"width": 0}
    traces = [
        theme.curve(_("mean − spread"), steps, below, line=edge),
        theme.curve(_("mean + spread"), steps, above, fill="tonexty", fillcolor=theme.GRID, line=edge),
        Line(_("vectors of ones"), ones, theme.FAINT, 1, "dot").trace(steps),
        Line(_("mean of random pairs"), mean, theme.KIND_COLOURS["rotate"], 4).trace(steps),
    ]
    ends = [
        line_end(_("all ones"), float(ones[-1]), theme.FAINT, 13),
        line_end(_("random"), float(mean[-1]), theme.KIND_COLOURS["rotate"], 13),
    ]
    limits = _range(np.stack([ones, above, below]))
    titles = _("RoPE: random pairs do not fade"), _("RoPE need not fade")
    return _panel(titles, traces, plane_axis(_("score"), nticks=5, range=limits), ends)


def _range(values: np.ndarray) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low) or 1.0
    return [low - room, high + room]


def _panel(titles: tuple[str, str], traces: list[dict], y: dict, ends: list[dict]) -> Panel:
    return Panel(traces, plane_axis(_("key − query")), y, *titles, rem=16, notes=ends)
