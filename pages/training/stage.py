"""What the page "Training" shows of a run: the record of it, its beginning, its progress, or its end."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from embedviz import ui
from embedviz.base.jobs import Progress
from embedviz.training.bundled import bundled
from embedviz.training.queue import runs
from embedviz.training.run import Run, beginning
from embedviz.training.train import TrainingSettings
from embedviz.ui.components.slider.slider import snapshots
from embedviz.ui.messages import stop
from embedviz.ui.turns import turn
from embedviz.ui.visitor import visitor
from pages.training import waiting
from pages.training.settings import training_settings
from pages.training.trained import is_trained
from pages.training.views import program

State = Literal["recorded", "open", "in line", "going", "finished"]
_AGAIN = {"in line": 2.0, "going": 0.4}  # seconds between two looks


def state_of(of: TrainingSettings, progress: Progress | None) -> State:
    """Say whether the visitor sees what is recorded, or only the beginning, waits, watches the run, or sees its end."""
    if progress and not progress.error and not _is_finished(progress):
        return "in line" if progress.place else "going"
    if is_trained(of) and _is_finished(progress):
        return "finished"
    return "recorded" if bundled(of) else "open"


def _is_finished(progress: Progress | None) -> bool:
    return bool(progress and progress.result and progress.result.is_finished)


def stage(draw: Callable[[Run], None], page: ui.Frame) -> None:
    """Show the button that trains, the run as far as it has come, which `draw` draws, and its program."""
    settings, train = training_settings(page)
    if settings is None:
        stop()
    runs.prepare()
    found = runs.look(settings, visitor())
    state = state_of(settings, found)
    with train, ui.on_every_slide("train"):
        waiting.button(settings, state)
    _going(settings, page.view, state, draw)
    program(settings, shown(settings, found, state))


def _going(of: TrainingSettings, view: str, state: State, draw: Callable[[Run], None]) -> None:
    """Draw the run so far. While it goes on, look again, and run the page anew when it is over.

    The parts are the same in every state, so that a picture goes on in its place.
    """

    @st.fragment(run_every=_AGAIN.get(state))
    def look() -> None:
        with turn():
            found = runs.look(of, visitor())
            if state_of(of, found) != state:
                st.rerun()
            # A recorded run needs no room for a message or for how far it is.
            with st.container(key=f"stage_{'record' if state == 'recorded' else 'line'}", vertical_alignment="center"):
                waiting.say(of, found, view, state)
            run = shown(of, found, state)
            with ui.on_every_slide("snapshots"):
                snapshots(run, f"{hash(of)} {state}", key="snapshots")
            draw(run)

    look()


def shown(of: TrainingSettings, progress: Progress | None, state: State) -> Run:
    """Return the run as far as it has come. Before "Train" this is its beginning, whatever others have trained."""
    if state == "recorded":
        return bundled(of)
    return (progress.result if progress and state != "open" else None) or beginning(of)
