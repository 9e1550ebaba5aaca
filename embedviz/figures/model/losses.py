"""The loss of a run of training, step by step."""

import math
from typing import TYPE_CHECKING

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, TraceMeta, figure

if TYPE_CHECKING:  # importing a run imports torch, which figures do not need
    from embedviz.training.run import Run


def loss_curves(run: "Run") -> Figure:
    """The held-out loss of a run by step, and a faint line for its batches; a ring marks the snapshot on screen.

    A line says what it costs to give every word the same chance.
    """
    n_steps, guessing = run.settings.steps, math.log(len(run.vocabulary))
    traces = [_batches(run)] if len(run.losses) else []  # no losses before the first step
    traces += [_held_out(run), *([_ring(run)] if run.is_finished else [])]
    top = max(guessing, float(run.held_out.max()))
    line = theme.across(guessing, line={"color": theme.FAINT, "width": 1, "dash": "dash"})
    guess = {
        "text": _("guessing: {loss:.2f}", loss=guessing),
        "x": 1, "y": guessing, "xref": "x domain", "yref": "y", "showarrow": False,
        "xanchor": "right", "yanchor": "bottom", "font": {"size": 12},
    }  # fmt: skip
    x = theme.axis(_("step"), range=[-0.02 * n_steps, 1.02 * n_steps], nticks=6)
    y = theme.axis(_("loss (nats per word)"), range=[0, top + 0.25], nticks=7)
    return figure([Panel(traces, x, y, notes=[guess], shapes=[line])], margin={"t": 30}, **theme.legend())


def _batches(run: "Run") -> dict:
    hover = _("step {step}<br>batch <b>{loss}</b>", step="%{x}", loss="%{y:.3f}")
    steps = np.arange(1, len(run.losses) + 1)
    return theme.curve(_("batch"), steps, run.losses, hover, line={"color": theme.FAINT, "width": 1}, opacity=0.55)


def _held_out(run: "Run") -> dict:
    hover = _("after {n} steps<br>held out <b>{loss}</b>", n="%{x}", loss="%{y:.3f}")
    return theme.curve(
        _("held out"), run.steps, run.held_out, hover, mode="lines+markers",
        line={"color": "var(--held-out)", "width": 2.5}, marker={"size": 5, "color": "var(--held-out)"},
    )  # fmt: skip


def _ring(run: "Run") -> dict:
    moved = {"x": run.steps.astype(np.float32)[:, None], "y": run.held_out[:, None]}
    marker = {"symbol": "circle-open", "size": 14, "color": theme.INK, "line": {"width": 2}}
    options = {"showlegend": False, "cliponaxis": False, "meta": TraceMeta(frames=moved)}
    return theme.curve("", *(rows[-1] for rows in moved.values()), mode="markers", marker=marker, **options)
