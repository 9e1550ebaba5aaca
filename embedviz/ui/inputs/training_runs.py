"""Runs that a visitor trains on a page: how far they are, the button that trains or cancels them, what is said of them.

The address holds a mark for the runs on the screen, so that a link, Back and a reload show them again. The mark is made
from their settings. With other settings it no longer fits, and the page is untrained again.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from typing import Literal

import streamlit as st

from embedviz.base.concurrency.jobs import Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext
from embedviz.training.bundled import bundled
from embedviz.training.queue import runs
from embedviz.training.run import Run, beginning
from embedviz.training.train import TrainingSettings
from embedviz.ui import presenting
from embedviz.ui.inputs.visitor import visitor
from embedviz.ui.messages import show_error

State = Literal["recorded", "open", "in line", "going", "finished"]
AGAIN = {"in line": 2.0, "going": 0.4}  # seconds between two looks
_REFUSED = "training_refused"


def run_states(settings: Sequence[TrainingSettings]) -> list[Progress | None]:
    """How far each run is. Those that the address names may be another server's, or of a time before this one's."""
    found = [runs.poll(each, visitor()) for each in settings]
    is_missing = not all(found) and is_trained(settings)
    return [state or (runs.recall(each) if is_missing else None) for each, state in zip(settings, found, strict=True)]


def state_of(settings: Sequence[TrainingSettings], progresses: Sequence[Progress | None]) -> State:
    """Say whether the visitor sees what is recorded, or only the beginning, waits, watches a run, or sees its end."""
    waited = [each for each in progresses if each and not each.error and not _is_finished(each)]
    if waited:
        return "going" if any(each.place == 0 for each in waited) else "in line"
    if is_trained(settings) and all(map(_is_finished, progresses)):
        return "finished"
    return "recorded" if all(map(bundled, settings)) else "open"


def _is_finished(progress: Progress | None) -> bool:
    return bool(progress and progress.result and progress.result.is_finished)


def runs_so_far(settings: Sequence[TrainingSettings], progresses: Sequence[Progress | None], state: State) -> list[Run]:
    """Return each run as far as it has come. Before "Train" this is its beginning, whatever others have trained."""
    if state == "recorded":
        return [bundled(each) or beginning(each) for each in settings]
    results = [progress.result if progress and state != "open" else None for progress in progresses]
    return [result or beginning(each) for each, result in zip(settings, results, strict=True)]


def has_button(state: State) -> bool:
    """In projection nothing starts over, and what is recorded is only shown."""
    return not (state in ("recorded", "finished") and presenting.is_on())


def button(settings: Sequence[TrainingSettings], state: State) -> None:
    """Show the button that trains, cancels, or starts over. If it fails, the next run of the page says so."""
    kinds = {
        "recorded": (_("Train it yourself"), "train", "secondary", _ask),
        "open": (_("Train"), "train", "primary", _ask),
        "finished": (_("Start over"), "again", "secondary", forget),
    }
    label, key, kind, act = kinds.get(state, (_("Cancel"), "cancel", "secondary", _cancel))
    st.button(label, key=key, type=kind, width="stretch", on_click=act, args=(list(settings),))


def _ask(settings: list[TrainingSettings]) -> None:
    try:
        runs.ask(visitor(), *settings)
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        keep(settings)


def _cancel(settings: list[TrainingSettings]) -> None:
    runs.leave(visitor())
    forget(settings)


def say_why(progresses: Sequence[Progress | None]) -> None:
    """Show a message for everything that kept a run from being trained."""
    errors = [each.error for each in progresses if each and each.error]
    refused = st.session_state.pop(_REFUSED, None)
    for message in dict.fromkeys([*errors, *([refused] if refused else [])]):
        show_error(message)


def say_how_far(settings: Sequence[TrainingSettings], progresses: Sequence[Progress | None]) -> None:
    """Show how far the runs are that are in line or going."""
    total = sum(each.steps for each in settings)
    done = sum(len(each.result.losses) for each in progresses if each and each.result)
    st.progress(done / total, progress_text(progresses, done, total))


def progress_text(progresses: Sequence[Progress | None], done: int, total: int) -> str:
    """Say how many steps and how much time are left, or how many visitors are before this one in the line."""
    lefts = [state.seconds_left for state in progresses if state and state.seconds_left is not None]
    if lefts:
        seconds = max(1, round(sum(lefts)))
        return _("Step {done:,} of {total:,}, about {seconds} s left", done=done, total=total, seconds=seconds)
    places = [state.place for state in progresses if state and not (state.result and state.result.is_finished)]
    before = min(places, default=0)
    if before:
        return ngettext(
            "{n} run is ahead of yours; they train one at a time.",
            "{n} runs are ahead of yours; they train one at a time.",
            before,
        )
    return _("It is your turn. The first numbers come in a moment.")


_NAME = "trained"
_MODEL = "run-"  # so the name of a run begins where a model is chosen
_MOST_KEPT = 30  # runs of a visitor


def is_trained(settings: Sequence[TrainingSettings]) -> bool:
    """True if the visitor, or whoever made the link, has pressed "Train" for all of these; the address then says so."""
    own = settings_hash(settings)
    named = st.query_params.get(_NAME)
    if named == own:
        keep(settings)
    if not _known().keys() >= set(settings):
        st.query_params.pop(_NAME, None)
        return False
    if named != own:
        st.query_params[_NAME] = own
    return True


def finished() -> dict[str, Run]:
    """Runs of the page Training that the visitor has trained, or that the address names as a model, by their names."""
    named = st.query_params.get("gpt", "")
    if not (_known() or named.startswith(_MODEL)):
        return {}
    found = {name_of(each.settings): each for each in runs.all_finished() if not is_offered(each.settings)}
    return {name: run for name, run in found.items() if run.settings in _known() or name == named}


def is_offered(settings: TrainingSettings) -> bool:
    """True if this is a model of the menu of Next word, with whatever seed."""
    shape = {"positions": settings.positions, "n_layers": settings.n_layers, "seed": settings.seed}
    return settings == TrainingSettings(**shape) and settings.n_layers <= 2  # OPTIONS["gpt"] has no more


@lru_cache(maxsize=256)
def name_of(settings: TrainingSettings) -> str:
    """What the run with these settings is called where a model is chosen."""
    return f"{_MODEL}{settings_hash([settings])}"


def keep(settings: Sequence[TrainingSettings]) -> None:
    """Note that the visitor has pressed "Train" for these runs."""
    known = _known()
    known.update(dict.fromkeys(settings))
    for oldest in list(known)[:-_MOST_KEPT]:
        del known[oldest]


def forget(settings: Sequence[TrainingSettings]) -> None:
    """Forget that "Train" was pressed, so that the page shows the beginning again."""
    for each in settings:
        _known().pop(each, None)
    st.query_params.pop(_NAME, None)


def settings_hash(settings: Sequence[TrainingSettings]) -> str:
    """A short name that only these settings have, the same on every server."""
    return sha256(json.dumps(list(map(asdict, settings))).encode()).hexdigest()[:8]


def _known() -> dict[TrainingSettings, None]:
    return st.session_state.setdefault("trained_runs", {})
