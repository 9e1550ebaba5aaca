"""What three schemes make of the distance between two tokens, as lines over that distance."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Line, plane_axis
from embedviz.figures.figure import Figure, Panel, figure, line_end

_COLOURS = {-1: "var(--falls)", 0: "var(--neither)", 1: "var(--rises)"}


def by_distance(
    distances: np.ndarray,
    alibi: np.ndarray,
    t5: tuple[np.ndarray, np.ndarray, Sequence[int]] | None,
    *,
    mean: np.ndarray,
    spread: np.ndarray,
) -> Figure:
    """ALiBi and RoPE over the distance to a key before the query, whole numbers (S,), and T5 if there is one.

    alibi: what each head adds, (H, S). t5: key - query, (T,), since its encoder reads both ways; what each head adds,
    (H, T); and of each head -1 if it falls with the distance, 1 if it rises, else 0. mean, spread: those of RoPE's
    scores of random pairs, (S,).
    """
    fades = _("ALiBi: every head fades"), _("ALiBi fades")
    panels = [_heads(fades, distances, alibi, [-1] * len(alibi), across=_("distance"), hover=_past())]
    if t5:
        learned = _("T5: each head as learned"), _("T5 as learned")
        panels.append(_heads(learned, *t5, across=_("key − query"), shape="hvh"))
    return figure([*panels, _rope(distances, mean, spread)])


def _past() -> str:
    """What pointing says where the key stands before the query."""
    return _(
        "{name}<br>distance {distance}: <b>{value}</b>", name="%{fullData.name}", distance="%{x}", value="%{y:.4g}"
    )


def _heads(
    titles: tuple[str, str],
    x: np.ndarray,
    added: np.ndarray,
    ways: Sequence[int],
    *,
    across: str,
    hover: str = "",
    shape: str = "linear",
) -> Panel:
    lines = [
        Line(_("head {n}", n=n + 1), values, _COLOURS[way], 1.5 if way else 1, shape=shape)
        for n, (values, way) in enumerate(zip(added, ways, strict=True))
    ]
    way_names = {-1: _("falls"), 1: _("rises"), 0: _("neither")}
    last = {way: float(added[np.equal(ways, way), -1].mean()) for way in sorted({*ways})}
    ends = [line_end(way_names[way], y, _COLOURS[way], 13) for way, y in last.items() if len(last) > 1]
    axis = plane_axis(_("added to the score"), nticks=5, range=_range(added))
    return _panel(titles, [line.trace(x, hover) for line in lines], across, axis, ends)


def _rope(distances: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> Panel:
    """A band and its mean. The curve of ones, which falls, is often drawn, and would be taken for a law."""
    above, below = mean + spread, mean - spread
    colour = theme.KIND_COLOURS["rotate"]
    traces = [
        theme.curve(_("mean − spread"), distances, below, line={"width": 0}),
        theme.curve(_("mean + spread"), distances, above, fill="tonexty", fillcolor=theme.GRID, line={"width": 0}),
        Line(_("mean of random pairs"), mean, colour, 4).trace(distances, _past()),
    ]
    ends = [line_end(_("random"), float(mean[-1]), colour, 13)]
    edge = 2 * float(np.abs([above, below]).max())  # a band that fills its panel would look like a background
    titles = _("RoPE: random pairs do not fade"), _("RoPE need not fade")
    return _panel(titles, traces, _("distance"), plane_axis(_("score"), nticks=5, range=[-edge, edge]), ends)


def _range(values: np.ndarray) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low) or 1.0
    return [low - room, high + room]


def _panel(titles: tuple[str, str], traces: list[dict], across: str, y: dict, ends: list[dict]) -> Panel:
    return Panel(traces, plane_axis(across), y, *titles, rem=16, notes=ends)
