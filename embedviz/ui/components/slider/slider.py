"""A slider in the browser: beside "Positions off / on" it adds them in part, with a play button it shows a training."""

from embedviz.base.i18n import _
from embedviz.training.run import Run
from embedviz.ui.components.component import component

_SLIDER = component(__name__)


def share_of_positions(*, is_idle: bool) -> None:
    """Show "Positions off / on" and the slider between them, which move figures that have a start.

    is_idle: nothing would move.
    """
    _SLIDER({"kind": "amount", "name": _("Share of the positions"), "idle": is_idle}, key="amount")


def snapshots(run: Run, name: str, *, key: str) -> None:
    """Show the slider "Snapshot". name: of the run; another one plays if it is finished, and else stands at its end."""
    about = {"kind": "snapshot", "name": _("Snapshot"), "play": _("Play the training"), "run": name}
    labels = [
        _("step {step:,} of {steps:,}, loss {loss:.2f}", step=step, steps=run.settings.steps, loss=loss)
        for step, loss in zip(run.steps.tolist(), run.held_out.tolist(), strict=True)
    ]
    if not run.is_finished:
        labels = labels[-1:]
    start = {"from": 0} if run.is_finished else {}
    _SLIDER(about | {"labels": labels} | start, key=key)
