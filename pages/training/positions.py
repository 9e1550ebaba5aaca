"""The view "Positions" of the page "Training": how similar the rows of the positional table become."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.base.numbers import in_print
from embedviz.figures.model.drift import position_cosines
from embedviz.training import drift
from embedviz.training.run import Run
from embedviz.ui import Guide, LiveView, alt_text
from pages.training.loss import loss_card
from pages.training.stage import HEIGHT, TRAINED, stage

_ALIKE = 0.3  # a mean cosine of neighbours from which on they are called alike


def positions(frame: ui.Frame, run: Run) -> None:
    """How similar the rows of the positional table are."""
    drifted = drift.positions(run)
    figure = position_cosines(drifted.similarity, drifted.near, run.steps.tolist())
    about = about_positions(run, drifted) if run.has_begun else []
    frame.say(*about[:1])
    with ui.slide():
        ui.show(figure, key="positions_drift", alt=alt_text.positions(run, drifted), height=HEIGHT)
    ui.cards_below(about, about[:1], key="about_positions")


def about_positions(run: Run, positions: drift.Positions) -> list[ui.Card]:
    """The similarity of near and of far positions, before and after."""
    half = run.positions.shape[1] // 2
    if run.settings.positions != "learned":
        text = _("Positions are switched off, so this table takes no part and keeps its first random numbers.")
        return [ui.Card(_("The table of positions is not used"), text), loss_card(run)]
    near, far = ({"before": in_print(each[0]), "after": in_print(each[-1])} for each in (positions.near, positions.far))
    is_alike = positions.near[-1] > _ALIKE
    title = (
        _("Neighbouring positions have become alike: cosine {before} → {after}", **near)
        if is_alike
        else _("Neighbouring positions have not become alike: cosine {before} → {after}", **near)
    )
    text = _("Mean over each position and the next. Nobody told the model which positions are neighbours.")
    return [
        ui.Card(title, text),
        ui.Card(
            _("Far apart: cosine {before} → {after}", **far), _("Mean over positions at least {half} apart.", half=half)
        ),
    ]


POSITIONS = LiveView(
    page="training",
    name="positions",
    guide=Guide(
        N_("Each cell compares two positions, and is red where their vectors are alike. Neighbours have a frame."),
        N_("A learned table of positions begins as random numbers too: what order means in it comes from the text."),
        "training positional cosine loss nats",
    ),
    has_claim=True,
    draw=partial(stage, positions),
    examples=({}, TRAINED, {"positions": "false"}),
)
