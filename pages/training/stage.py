"""What the page "Training" shows of its runs: the record of them, their beginning, their progress, or their end."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from embedviz import ui
from embedviz.training.queue import runs
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui.components.slider.slider import snapshots
from embedviz.ui.messages import stop
from embedviz.ui.running import AGAIN, State, button, has_button, run_states, shown, state_of
from embedviz.ui.turns import turn
from pages.training import waiting
from pages.training.settings import training_settings
from pages.training.views import program


def wanted_runs(chosen: TrainingSettings, view: str) -> list[TrainingSettings]:
    """The runs that a view needs: itself, or for "Order" four: in order or shuffled, with positions or without.

    The grammar's sentences need no order, so that they cannot show what it is worth; its rhymes do.
    """
    if view != "order":
        return [chosen]
    return [
        replace(chosen, positions=positions, shuffled=shuffled, kind="sentences" if chosen.text else "rhymes")
        for shuffled in (False, True)
        for positions in ("learned", "none")
    ]


def stage(draw: Callable[[Sequence[Run]], None], page: ui.Frame) -> None:
    """Show the button that trains, the runs as far as they have come, which `draw` draws, and their program."""
    settings, train = training_settings(page)
    if settings is None:
        stop()
    runs.prepare()
    wanted = wanted_runs(settings, page.view)
    found = run_states(wanted)
    state = state_of(wanted, found)
    if has_button(state):
        with train, ui.on_every_slide("train"):
            button(wanted, state)
    _going(wanted, page.view, state, draw)
    program(wanted, shown(wanted, found, state))


def _going(of: list[TrainingSettings], view: str, state: State, draw: Callable[[Sequence[Run]], None]) -> None:
    """Draw the runs so far. While they go on, look again, and run the page anew when they are over.

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
            runs_now = shown(of, found, state)
            if view != "order":
                name = f"{hash(of[0])} {state}"
                with ui.on_every_slide("snapshots"):
                    snapshots(runs_now[0], name, key="snapshots")
            draw(runs_now)

    look()
