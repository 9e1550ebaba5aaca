"""A slider with a play button, in the browser: it adds positions little by little, or shows a training's snapshots."""

from embedviz.base.i18n import _
from embedviz.training.run import Run
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_SLIDER = component(
    "parts/slider",
    html="""
<div class="row">
  <button type="button" class="play">▶</button>
  <button type="button" class="end" hidden></button>
  <label><span></span><input type="range" min="0" /></label>
  <button type="button" class="end" hidden></button>
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
.amount { font-size: 1.05rem; }
.amount label span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.amount .play { width: 2.6rem; height: 2rem; color: var(--st-background-color); background: var(--st-primary-color);
  border-color: var(--st-primary-color); font-size: 0.95rem; }
.amount .end { width: auto; height: 2rem; padding: 0 0.7rem; font: inherit; font-weight: 600; white-space: nowrap; }
.amount .end[aria-pressed="true"] { border: 2px solid var(--st-text-color); }
@media (max-width: 560px) { .amount { gap: 0.35rem; font-size: 0.95rem; } .amount .end { padding: 0 0.4rem; }
  .amount output { display: none; } }
button:disabled { cursor: default; opacity: 0.6; }
.snapshot output { min-width: 13rem; text-align: start; }
@media (max-width: 560px) { .snapshot { flex-wrap: wrap; } .snapshot output { min-width: 100%; } }
""",
)


def amount(*, key: str = "amount") -> None:
    """Show the slider "Positions shown". Figures whose traces have a start move with it, without a rerun."""
    ends = [_("Token only"), _("+ position")]
    about = {"kind": "amount", "name": _("Positions shown"), "play": _("Play: add the positions"), "ends": ends}
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
