"""What the page "Training" says while the visitor waits for a run."""

from collections.abc import Sequence

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.base.jobs import Progress
from embedviz.training.run import beginning
from embedviz.training.train import TrainingSettings
from embedviz.ui import running


def say(of: Sequence[TrainingSettings], progresses: Sequence[Progress | None], view: str, state: str) -> None:
    """One line above the picture: what to do, how far the runs are, or where they come from."""
    if state in ("open", "recorded"):
        running.say_why(progresses)
    if state == "open":
        st.info(_invitation(of[0], view), icon=":material/model_training:")
    elif state == "recorded":
        ui.aside(_recorded(view, of[0].context_length))
    elif state == "finished":
        ui.aside(_("Trained on this server, from the first step to the last."))
    else:
        running.say_how_far(of, progresses)


def _recorded(view: str, n_positions: int) -> str:
    """What was recorded, and what to watch."""
    if view == "words":
        return _(
            "This is the record of a training: all words begin as random vectors, and nobody says which are alike."
        )
    return _(
        "This is the record of a training: the vectors of all {n} positions begin as random numbers.", n=n_positions
    )


def _invitation(settings: TrainingSettings, view: str) -> str:
    """What to do, and what to watch."""
    if view == "words":
        return _(
            "Press “Train” and watch which words move together: the vectors of these {n:,} words are still random "
            "numbers.",
            n=len(beginning(settings).vocabulary),
        )
    return _(
        "Press “Train” and watch whether neighbouring positions grow alike: the vectors of these {n} are still random "
        "numbers.",
        n=settings.context_length,
    )
