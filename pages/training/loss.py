"""The loss of a run: its curves, and what it means."""

import math

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.figures.model.losses import loss_curves
from embedviz.training.run import Run


def losses(run: Run, height: str) -> None:
    """Show the loss by step, on a slide of its own."""
    figure = loss_curves(run)
    alt = _(
        "The loss on held-out windows by step: from {before:.2f} to {after:.2f}.",
        before=run.held_out[0],
        after=run.held_out[-1],
    )
    with ui.slide("loss"):
        ui.show(figure, key="loss", alt=alt, height=height)


def loss_card(run: Run) -> ui.Card:
    """The loss before and after, and among how many words the model chooses now."""
    first, last, n = float(run.held_out[0]), float(run.held_out[-1]), len(run.vocabulary)
    where = _("On sentences held out of the training, in nats per word.")
    if run.settings.text:
        where = _("On windows held out of the training, in nats per word.")
    means = _(
        "Giving each of the {n:,} words the same chance costs ln {n:,} = {loss:.2f}; a loss of {last:.2f} is as if the "
        "model chose among e^{last:.2f} = {left:.1f} words.",
        n=n,
        loss=math.log(n),
        last=last,
        left=math.exp(last),
    )
    title = _("Loss {first:.2f} → {last:.2f}", first=first, last=last)
    return ui.Card(title, paragraph((where, means)))
