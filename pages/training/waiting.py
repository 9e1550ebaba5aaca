"""What the page "Training" says while the visitor waits for a run, and the button of the page."""

import streamlit as st

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext
from embedviz.base.jobs import Progress
from embedviz.training.queue import runs
from embedviz.training.run import beginning
from embedviz.training.train import TrainingSettings
from embedviz.ui import presenting
from embedviz.ui.messages import show_error
from embedviz.ui.visitor import visitor
from pages.training import trained

_REFUSED = "training_refused"


def button(of: TrainingSettings, state: str) -> None:
    """Show the button that trains, cancels, or starts over. If it fails, the next run of the page says so.

    In projection nothing starts over, and what is recorded is only played.
    """
    if state in ("recorded", "finished") and presenting.is_on():
        return
    kinds = {
        "recorded": (_("Train it yourself"), "train", "secondary", _ask),
        "open": (_("Train"), "train", "primary", _ask),
        "finished": (_("Start over"), "again", "secondary", trained.forget),
    }
    label, key, kind, act = kinds.get(state, (_("Cancel"), "cancel", "secondary", _cancel))
    st.button(label, key=key, type=kind, width="stretch", on_click=act, args=(of,))


def _ask(of: TrainingSettings) -> None:
    try:
        runs.ask(visitor(), of)
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        trained.keep(of)


def _cancel(of: TrainingSettings) -> None:
    runs.leave(visitor())
    trained.forget(of)


def say(of: TrainingSettings, progress: Progress | None, view: str, state: str) -> None:
    """One line above the picture: what to do, how far the run is, or where it comes from."""
    if state in ("open", "recorded"):
        _say_why(progress)
    if state == "open":
        st.info(_invitation(of, view), icon=":material/model_training:")
    elif state == "recorded":
        ui.aside(_recorded(view, of.context_length))
    elif state == "finished":
        ui.aside(_("Trained on this server, from the first step to the last."))
    else:
        done = len(progress.result.losses) if progress.result else 0
        st.progress(done / of.steps, progress_text(progress, done, of.steps))


def _recorded(view: str, n_positions: int) -> str:
    """What was recorded, and what to watch."""
    if view == "words":
        return _(
            "This is the record of a training: all words begin as random vectors, and nobody says which are alike."
        )
    return _(
        "This is the record of a training: the vectors of all {n} positions begin as random numbers.", n=n_positions
    )


def _say_why(progress: Progress | None) -> None:
    """Show a message for what kept the run from being trained."""
    refused = st.session_state.pop(_REFUSED, None)
    for message in dict.fromkeys(each for each in (progress and progress.error, refused) if each):
        show_error(message)


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


def progress_text(progress: Progress, done: int, total: int) -> str:
    """Say how many steps and how much time are left, or how many visitors are before this one in the line."""
    if progress.seconds_left is not None:
        return _(
            "Step {done:,} of {total:,}, about {seconds} s left",
            done=done,
            total=total,
            seconds=max(1, round(progress.seconds_left)),
        )
    if progress.place:
        return ngettext(
            "{n} run is ahead of yours; they train one at a time.",
            "{n} runs are ahead of yours; they train one at a time.",
            progress.place,
        )
    return _("It is your turn. The first numbers come in a moment.")
