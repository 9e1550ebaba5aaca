"""What three schemes make of the distance between two tokens, as lines over that distance."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line, plane_axis
from embedviz.figures.figure import Figure, Panel, figure, line_end

_COLOURS = {-1: "var(--falls)", 0: "var(--neither)", 1: "var(--rises)"}


def by_distance(
    steps: np.ndarray,
    alibi: np.ndarray,
    t5: tuple[np.ndarray, Sequence[int]] | None,
    *,
    mean: np.ndarray,
    spread: np.ndarray,
) -> Figure:
    """ALiBi, T5 if there is one, and RoPE over key - query, whole numbers (S,).

    alibi: what each head adds, (H, S). t5: the same, and of each head -1 if it falls with the distance, 1 if it rises,
    else 0. mean, spread: those of RoPE's scores of random pairs, (S,).
    """
    past = steps <= 0  # ALiBi's paper has a causal mask
    panels = [_heads((_("ALiBi: every head fades"), _("ALiBi fades")), steps[past], alibi[:, past], [-1] * len(alibi))]
    if t5:
        panels.append(_heads((_("T5: each head as learned"), _("T5 as learned")), steps, *t5, "hvh"))
    return figure([*panels, _rope(steps, mean, spread)])


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


def _rope(steps: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> Panel:
    """A band and its mean. The curve of ones, which falls, is often drawn, and would be taken for a law."""
    above, below = mean + spread, mean - spread
    colour = theme.KIND_COLOURS["rotate"]
    traces = [
        theme.curve(_("mean − spread"), steps, below, line={"width": 0}),
        theme.curve(_("mean + spread"), steps, above, fill="tonexty", fillcolor=theme.GRID, line={"width": 0}),
        Line(_("mean of random pairs"), mean, colour, 4).trace(steps),
    ]
    ends = [line_end(_("random"), float(mean[-1]), colour, 13)]
    edge = 2 * float(np.abs([above, below]).max())  # a band that fills its panel would look like a background
    titles = _("RoPE: random pairs do not fade"), _("RoPE need not fade")
    return _panel(titles, traces, plane_axis(_("score"), nticks=5, range=[-edge, edge]), ends)


def _range(values: np.ndarray) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low) or 1.0
    return [low - room, high + room]


def _panel(titles: tuple[str, str], traces: list[dict], y: dict, ends: list[dict]) -> Panel:
    return Panel(traces, plane_axis(_("key − query")), y, *titles, rem=16, notes=ends)
