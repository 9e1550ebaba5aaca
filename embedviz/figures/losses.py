"""The loss of a run of training, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure


@dataclass(frozen=True)
class LossCurve:
    """The losses of a run: of N batches, shape (N,), and the held-out losses and their steps at S snapshots, (S,)."""

    name: str
    batches: np.ndarray
    steps: np.ndarray
    held_out: np.ndarray


def loss_curves(curves: Sequence[LossCurve], n_steps: int, guessing: float, moving: bool = False) -> Figure:
    """Losses by step: a line for each run's held-out loss, and, if there is only one run, a faint line for its batches.

    guessing: the loss of giving every word the same chance. moving: if True, a ring marks the snapshot on screen.
    """
    alone = len(curves) == 1
    traces = [_batches(curves[0])] if alone and len(curves[0].batches) else []  # no losses before the first step
    traces += [_held_out(curve, n, alone) for n, curve in enumerate(curves)]
    if moving:
        traces.append(_ring(curves[0]))
    top = max(guessing, *(float(curve.held_out.max()) for curve in curves))
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": guessing, "y1": guessing,
            "line": {"color": theme.FAINT, "width": 1, "dash": "dash"}}  # fmt: skip
    guess = {
        "text": _("guessing: {loss:.2f}", loss=guessing),
        "x": 1, "y": guessing, "xref": "x domain", "yref": "y", "showarrow": False,
        "xanchor": "right", "yanchor": "bottom", "font": {"size": 12},
    }  # fmt: skip
    x = theme.axis(_("step"), range=[-0.02 * n_steps, 1.02 * n_steps], nticks=6)
    y = theme.axis(_("loss (nats per word)"), range=[0, top + 0.25], nticks=7)
    return figure(
        [Panel(traces, x, y, notes=[guess], shapes=[line])],
        margin={"t": 30},
        **theme.legend(),
    )


def _batches(curve: LossCurve) -> dict:
    said = _("step {step}<br>batch <b>{loss}</b>", step="%{x}", loss="%{y:.3f}")
    steps = np.arange(1, len(curve.batches) + 1)
    return theme.curve(_("batch"), steps, curve.batches, said, line={"color": theme.FAINT, "width": 1}, opacity=0.55)


def _held_out(curve: LossCurve, n: int, alone: bool) -> dict:
    said = _("after {n} steps<br>held out <b>{loss}</b>", n="%{x}", loss="%{y:.3f}")
    colour, dash = f"var(--token-{n})", theme.DASHES[n % len(theme.DASHES)]
    return theme.curve(
        _("held out") if alone else curve.name, curve.steps, curve.held_out, said, mode="lines+markers",
        line={"color": colour, "width": 2.5, "dash": dash},
        marker={"symbol": theme.SYMBOLS[n], "size": 5 if alone else 7, "color": colour},
    )  # fmt: skip


def _ring(curve: LossCurve) -> dict:
    moved = {"x": curve.steps.astype(np.float32)[:, None], "y": curve.held_out[:, None]}
    return {
        "type": "scatter", "mode": "markers", **{axis: rows[-1] for axis, rows in moved.items()}, "showlegend": False,
        "cliponaxis": False,
        "marker": {"symbol": "circle-open", "size": 14, "color": theme.INK, "line": {"width": 2}}, "hoverinfo": "skip",
        "meta": {"frames": moved},
    }  # fmt: skip
