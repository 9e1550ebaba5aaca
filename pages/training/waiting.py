"""What the page "Training" says while the visitor waits for a run, and the button of the page."""

from collections.abc import Sequence

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


def button(of: Sequence[TrainingSettings], state: str) -> None:
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
    st.button(label, key=key, type=kind, width="stretch", on_click=act, args=(list(of),))


def _ask(of: list[TrainingSettings]) -> None:
    try:
        runs.ask(visitor(), *of)
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        trained.keep(of)


def _cancel(of: list[TrainingSettings]) -> None:
    runs.leave(visitor())
    trained.forget(of)


def say(of: Sequence[TrainingSettings], progresses: Sequence[Progress | None], view: str, state: str) -> None:
    """One line above the picture: what to do, how far the runs are, or where they come from."""
    if state in ("open", "recorded"):
        _say_why(progresses)
    if state == "open":
        st.info(_invitation(of[0], view), icon=":material/model_training:")
    elif state == "recorded":
        ui.aside(_recorded(view, of[0].context_length))
    elif state == "finished":
        ui.aside(_("Trained on this server, from the first step to the last."))
    else:
        total = sum(each.steps for each in of)
        done = sum(len(each.result.losses) for each in progresses if each and each.result)
        st.progress(done / total, progress_text(progresses, done, total))


def _recorded(view: str, n_positions: int) -> str:
    """What was recorded, and what to watch."""
    if view == "order":
        return _(
            "Four models learned rhymes such as “cat dog fox again cat dog fox”, in order or shuffled, with positions "
            "or without. These are their records."
        )
    if view == "words":
        return _(
            "This is the record of a training: all words begin as random vectors, and nobody says which are alike."
        )
    return _(
        "This is the record of a training: the vectors of all {n} positions begin as random numbers.", n=n_positions
    )


def _say_why(progresses: Sequence[Progress | None]) -> None:
    """Show a message for everything that kept a run from being trained."""
    errors = [each.error for each in progresses if each and each.error]
    refused = st.session_state.pop(_REFUSED, None)
    for message in dict.fromkeys([*errors, *([refused] if refused else [])]):
        show_error(message)


def _invitation(settings: TrainingSettings, view: str) -> str:
    """What to do, and what to watch."""
    if view == "order":
        return _(
            "Press “Train” to train four models, on text in order or shuffled, with positions or without, and watch "
            "how far their losses fall."
        )
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


def progress_text(progresses: Sequence[Progress | None], done: int, total: int) -> str:
    """Say how many steps and how much time are left, or how many visitors are before this one in the line."""
    lefts = [state.seconds_left for state in progresses if state and state.seconds_left is not None]
    if lefts:
        return _(
            "Step {done:,} of {total:,}, about {seconds} s left",
            done=done,
            total=total,
            seconds=max(1, round(sum(lefts))),
        )
    places = [state.place for state in progresses if state and not (state.result and state.result.is_finished)]
    before = min(places, default=0)
    if before:
        return ngettext(
            "{n} run is ahead of yours; they train one at a time.",
            "{n} runs are ahead of yours; they train one at a time.",
            before,
        )
    return _("It is your turn. The first numbers come in a moment.")
