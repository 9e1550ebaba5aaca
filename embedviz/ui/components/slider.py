"""The slider that plays, in the browser: positions turned up from nothing, or the snapshots of a training."""

from embedviz.base.i18n import _
from embedviz.training.run import Run
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_SLIDER = component(
    "parts/slider",
    html="""
<div class="row">
  <button type="button">▶</button>
  <label><span></span><input type="range" min="0" /></label>
  <output></output>
</div>
""",
    css="""
.row { display: flex; align-items: center; gap: 0.6rem; font-family: var(--st-font); color: var(--st-text-color);
  font-size: 0.9rem; min-height: 1.9rem; }
label { display: flex; align-items: center; gap: 0.6rem; flex: 1; min-width: 0; line-height: 1.2; }
input { flex: 1 0 4rem; min-width: 4rem; accent-color: var(--st-primary-color); }
output { min-width: 3.2em; text-align: right; font-variant-numeric: tabular-nums; }
button { width: 2rem; height: 1.8rem; border: 1px solid var(--st-border-color); border-radius: 0.45rem; cursor: pointer;
  background: var(--st-secondary-background-color); color: var(--st-text-color); font-size: 0.8rem; }
button:focus-visible, input:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
button:disabled { cursor: default; opacity: 0.6; }
.snapshot output { min-width: 13rem; text-align: start; }
@media (max-width: 560px) { .snapshot { flex-wrap: wrap; } button:disabled { cursor: default; opacity: 0.6; }
.snapshot output { min-width: 100%; } }
""",
)


def amount(*, key: str = "amount") -> None:
    """Show the slider "Positions shown"; figures whose traces have a start move with it, without a rerun."""
    about = {"kind": "amount", "name": _("Positions shown"), "play": _("Play: add the positions")}
    _SLIDER(data=pack(about), key=key)


def snapshots(run: Run, name: str, *, key: str, play_from: int | None = None) -> None:
    """Show the slider "Snapshot"; figures whose traces have frames move with it, without a rerun.

    name: of the run; another one starts at its end, and one that still goes is there. play_from: the snapshot from
    which it begins to play by itself.
    """
    about = {"kind": "snapshot", "name": _("Snapshot"), "play": _("Play the training"), "run": name}
    labels = [
        _("step {step:,} of {steps:,}, loss {loss:.2f}", step=step, steps=run.settings.steps, loss=loss)
        for step, loss in zip(run.steps.tolist(), run.held_out.tolist(), strict=True)
    ]
    if not run.is_finished:
        labels = labels[-1:]
    start = {} if play_from is None else {"from": play_from}
    _SLIDER(data=pack(about | {"labels": labels} | start), key=key)
