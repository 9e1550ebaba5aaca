"""What the page "Training" shows of a run: the record of it, its beginning, its progress, or its end."""

from collections.abc import Callable

import streamlit as st

from embedviz import ui
from embedviz.training.queue import runs
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui import stop, turn
from embedviz.ui.components.slider.slider import snapshots
from embedviz.ui.running import AGAIN, State, button, has_button, run_states, shown, state_of
from pages.training import waiting
from pages.training.settings import training_settings
from pages.training.views import program


def stage(draw: Callable[[Run], None], page: ui.Frame) -> None:
    """Show the button that trains, the run as far as it has come, which `draw` draws, and its program."""
    settings, train = training_settings(page)
    if settings is None:
        stop()
    runs.prepare()
    wanted = [settings]
    found = run_states(wanted)
    state = state_of(wanted, found)
    if has_button(state):
        with train, ui.on_every_slide("train"):
            button(wanted, state)
    _going(wanted, page.view, state, draw)
    program(settings, shown(wanted, found, state)[0])


def _going(of: list[TrainingSettings], view: str, state: State, draw: Callable[[Run], None]) -> None:
    """Draw the run so far. While it goes on, look again, and run the page anew when it is over.

    The parts are the same in every state, so that a picture goes on in its place.
    """

    @st.fragment(run_every=AGAIN.get(state))
    def look() -> None:
        with turn():
            found = run_states(of)
            if state_of(of, found) != state:
                st.rerun()
            # A recorded run needs no room for a message or for how far it is.
            with st.container(key=f"stage_{'record' if state == 'recorded' else 'line'}", vertical_alignment="center"):
                waiting.say(of, found, view, state)
            (run,) = shown(of, found, state)
            with ui.on_every_slide("snapshots"):
                snapshots(run, f"{hash(of[0])} {state}", key="snapshots")
            draw(run)

    look()
