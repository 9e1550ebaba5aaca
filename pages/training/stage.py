"""What the page "Training" shows of a run: the record of it, its beginning, its progress, or its end."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.concurrency.jobs import Progress
from embedviz.base.i18n import _, paragraph
from embedviz.programs.rows import of_run
from embedviz.programs.training import pytorch_training
from embedviz.training.queue import runs
from embedviz.training.run import Run, beginning
from embedviz.training.train import TrainingSettings
from embedviz.ui import stop, turn
from embedviz.ui.components.slider.slider import snapshots
from embedviz.ui.inputs.training_runs import (
    AGAIN,
    State,
    button,
    has_button,
    is_offered,
    name_of,
    run_states,
    runs_so_far,
    say_how_far,
    say_why,
    settings_hash,
    state_of,
)
from pages.training.settings import training_settings

HEIGHT = ui.picture_height(0.9)
_DONE: Sequence[State] = ("recorded", "finished")
# What the address says of a visitor who has trained the model of the record.
TRAINED = {"trained": settings_hash([TrainingSettings()])}


def stage(draw: Callable[[ui.Frame, Run], None], frame: ui.Frame) -> None:
    """Show the button that trains, the run as far as it has come, which `draw` draws, and its program."""
    settings = training_settings(frame)
    if settings is None:
        frame.say()
        stop()
    runs.prepare()
    wanted = [settings]
    progresses = run_states(wanted)
    state = state_of(wanted, progresses)
    before = st.container(gap="xsmall")  # of a run that goes on, and of one that has not begun
    _live(wanted, frame, state, draw)
    with st.container(gap="xsmall") if state in _DONE else before:
        _what_to_do(wanted, progresses, frame.view, state)
    program(settings, runs_so_far(wanted, progresses, state)[0])


def _live(wanted: list[TrainingSettings], frame: ui.Frame, state: State, draw: Callable[[ui.Frame, Run], None]) -> None:
    """Draw the run so far. While it goes on, look again, and run the page anew when it is over.

    The parts are the same in every state, so that a picture goes on in its place.
    """

    @st.fragment(run_every=AGAIN.get(state))
    def draw_run() -> None:
        with turn():
            progresses = run_states(wanted)
            if state_of(wanted, progresses) != state:
                st.rerun()
            if state not in _DONE:
                with st.container(key="stage_line", vertical_alignment="center"):
                    _say(wanted, progresses, frame.view, state)
            (run,) = runs_so_far(wanted, progresses, state)
            with ui.on_every_slide("snapshots"):
                snapshots(run, f"{hash(wanted[0])} {state}", key="snapshots")
            draw(frame, run)

    draw_run()


def _what_to_do(
    wanted: Sequence[TrainingSettings], progresses: Sequence[Progress | None], view: str, state: State
) -> None:
    """The button that trains, and beside it where a run comes from that is done."""
    left, right = st.columns([5, 1], vertical_alignment="center")
    with left:
        if state in _DONE:
            _say(wanted, progresses, view, state)
    if has_button(state):
        with right, ui.on_every_slide("train"):
            button(wanted, state)


def _say(wanted: Sequence[TrainingSettings], progresses: Sequence[Progress | None], view: str, state: str) -> None:
    """One line: what to do, how far the runs are, or where they come from."""
    if state in ("open", "recorded"):
        say_why(progresses)
    if state == "open":
        st.info(_invitation(wanted[0], view), icon=":material/model_training:")
    elif state == "recorded":
        ui.reader_caption(_recorded(view, wanted[0].context_length))
    elif state == "finished":
        asks = _("On Next word, it is the model {name} for sentences of your own.", name=name_of(wanted[0]))
        # A model that its menu has anyway, with a field for the seed, has no name of its own there.
        more = "" if is_offered(wanted[0]) else asks
        ui.reader_caption(paragraph([_("Trained on this server, from the first step to the last."), more]))
    else:
        say_how_far(wanted, progresses)


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
            "Press “Train” and watch which words move closer to each other: the vectors of these {n:,} words "
            "are still random numbers.",
            n=len(beginning(settings).vocabulary),
        )
    return _(
        "Press “Train” and watch whether neighbouring positions grow alike: the vectors of these {n} are still random "
        "numbers.",
        n=settings.context_length,
    )


def program(settings: TrainingSettings, run: Run) -> None:
    """The PyTorch of the run, and its tables to take along."""
    ui.program(pytorch_training(settings), _("How vectors learn"), rows=partial(of_run, run), height=380)
