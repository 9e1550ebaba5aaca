"""The runs that a view of "Training" waits for: which they are, how far, and who is before."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext
from embedviz.base.jobs import Progress
from embedviz.training.queue import runs
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui.messages import show_error
from embedviz.ui.turns import turn
from embedviz.ui.visitor import visitor
from pages.training.views import VIEWS

_LOOK, _WAIT = 0.5, 2.0  # seconds between two looks at one's own run, and at the line


def wanted_runs(chosen: TrainingSettings, view: str) -> list[TrainingSettings]:
    """The runs that a view needs: itself, or for "Order" three that differ in one thing each."""
    if view != "order":
        return [chosen]
    plain = replace(chosen, positions=True, shuffled=False)
    return [plain, replace(plain, positions=False), replace(plain, shuffled=True)]


def run_states(of: Sequence[TrainingSettings]) -> list[Progress | None]:
    """How far each run is."""
    return [runs.look(each, visitor()) for each in of]


def finished(of: Sequence[Progress | None]) -> list[Run] | None:
    """The runs, once all of them are finished."""
    found = [state.result for state in of if state and state.result and state.result.is_finished]
    return found if len(found) == len(of) else None


def is_under_way(of: Sequence[Progress | None]) -> bool:
    """True if the visitor waits for one of them."""
    return any(state and not state.error and not (state.result and state.result.is_finished) for state in of)


def is_ones_turn(of: Sequence[Progress | None]) -> bool:
    """True if one of the runs is being trained, and not waiting."""
    return any(state.place == 0 for state in of if state and is_under_way([state]))


def button(column: DeltaGenerator, of: Sequence[TrainingSettings], found: Sequence[Progress | None]) -> None:
    """Train, or cancel; what fails there is said on the next run of the page."""
    with column:
        if is_under_way(found):
            st.button(_("Cancel"), key="cancel", width="stretch", on_click=runs.leave, args=(visitor(),))
        else:
            done = finished(found) is not None
            help_ = _("This run is finished: the same settings give the same numbers.") if done else None
            st.button(
                _("Train"), key="train", type="primary", width="stretch", disabled=done, help=help_,
                on_click=_ask, args=(list(of),),
            )  # fmt: skip


def _ask(of: list[TrainingSettings]) -> None:
    try:
        runs.ask(visitor(), *of)
    except EmbedvizError as error:
        st.session_state["training_refused"] = str(error)


def invitation(of: Sequence[TrainingSettings], found: Sequence[Progress | None]) -> None:
    """Nothing to show yet: what to do, and what went wrong if something did."""
    errors = [state.error for state in found if state and state.error]
    refused = st.session_state.pop("training_refused", None)
    for message in dict.fromkeys([*errors, *([refused] if refused else [])]):
        show_error(message)
    missing = len(of) - sum(1 for state in found if state and state.result)
    what = (
        _("This run has not been trained yet. Press “Train”.")
        if len(of) == 1
        else _("{missing} of these {n} runs have not been trained yet. Press “Train”.", missing=missing, n=len(of))
    )
    st.info(what, icon=":material/model_training:")


def watch(of: list[TrainingSettings], view: str) -> None:
    """The run as it goes, or one's place in line; the page runs again when something changes."""
    is_first = is_ones_turn(run_states(of))

    @st.fragment(run_every=_LOOK if is_first else _WAIT)
    def look() -> None:
        with turn():
            found = run_states(of)
            if not is_under_way(found) or is_ones_turn(found) != is_first:
                st.rerun()
            _progress(of, found)
            if view != "order" and found[0].result:
                VIEWS[view]([found[0].result])

    look()


def _progress(of: Sequence[TrainingSettings], found: Sequence[Progress | None]) -> None:
    total = sum(each.steps for each in of)
    done = sum(len(state.result.losses) for state in found if state and state.result)
    st.progress(done / total, progress_text(found, done, total))


def progress_text(found: Sequence[Progress | None], done: int, total: int) -> str:
    """Steps and time left, or how many are before."""
    lefts = [state.seconds_left for state in found if state and state.seconds_left is not None]
    if lefts:
        return _(
            "Step {done:,} of {total:,}, about {seconds} s left",
            done=done,
            total=total,
            seconds=max(1, round(sum(lefts))),
        )
    places = [state.place for state in found if state and not (state.result and state.result.is_finished)]
    before = min(places, default=0)
    if before:
        return ngettext(
            "{n} run is before yours. One is trained at a time.",
            "{n} runs are before yours. One is trained at a time.",
            before,
        )
    return _("It is your turn. The first numbers come in a moment.")
