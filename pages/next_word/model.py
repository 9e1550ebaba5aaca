"""The model that reads, how far it is trained, and the line above its bars: what came out, or what is asked before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.concurrency.jobs import Progress
from embedviz.base.i18n import _, paragraph, translated
from embedviz.layers.runnable import runnable
from embedviz.training.bundled import BUNDLED
from embedviz.training.queue import runs
from embedviz.training.train import MAX_STEPS, TrainingSettings
from embedviz.ui import presenting
from embedviz.ui.inputs import training_runs
from embedviz.ui.inputs.fields import BOUND
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.ui.inputs.options import OPTIONS
from pages.next_word.layout import Layout

TRAINS = TrainingSettings().steps <= MAX_STEPS  # whether this server trains them, or only has those of the record
EVERY = "who_every"  # in the session: after how many seconds the view looks at its run again


@dataclass(frozen=True)
class Model:
    """A model as it is now.

    reader: what reads. settings, progresses, state: of a small GPT that learns such questions; any other model is
    finished, and has no settings.
    """

    reader: LanguageModel
    settings: Sequence[TrainingSettings] = ()
    progresses: Sequence[Progress | None] = ()
    state: training_runs.State = "recorded"

    @property
    def has_button(self) -> bool:
        """True if it can be trained here, or is being trained."""
        return bool(self.settings) and TRAINS and training_runs.has_button(self.state)


def model_field(place: DeltaGenerator, seed: int | None, every: float | None, *, is_any: bool = False) -> Model:
    """Let the visitor choose a model. is_any: also one that has not learned such questions, if it says a next word."""
    small = [name for name in OPTIONS["gpt"] if TRAINS or settings_of(name, None) in BUNDLED.values()]
    trained = training_runs.finished() if is_any else {}
    real = [name for name, kind in runnable().items() if is_any and kind == "causal"]
    labels = {name: translated(OPTIONS["gpt"].get(name, name)) for name in (*small, *trained, *real)}
    name = place.selectbox(_("Model"), list(labels), format_func=labels.__getitem__, key="gpt", **BOUND)
    chosen = _small(name, seed) if name in small else Model(LanguageModel(name, trained.get(name)))
    if training_runs.AGAIN.get(chosen.state) != every:
        st.session_state[EVERY] = training_runs.AGAIN.get(chosen.state)
        st.rerun()
    return chosen


def settings_of(name: str, seed: int | None) -> TrainingSettings:
    """The model of one of OPTIONS["gpt"]. Without a seed it is the first of those that were tried."""
    positions, _dash, n_layers = name.partition("-")
    settings = TrainingSettings(positions=positions, n_layers=int(n_layers or 1))
    return settings if seed is None else replace(settings, seed=seed)


def _small(name: str, seed: int | None) -> Model:
    settings = [settings_of(name, seed)]
    progresses = training_runs.run_states(settings)
    state = training_runs.state_of(settings, progresses)
    (run,) = training_runs.runs_so_far(settings, progresses, state)
    return Model(LanguageModel(name, run), settings, progresses, state)


def status(model: Model, outcome: str, ask: Callable[[], None] | None, places: Layout) -> None:
    """Say what came out, or ask, or say how far the training is; and show the button that trains.

    ask: shows the question, as long as it is open.
    """
    if model.state == "open":
        runs.prepare()
    if model.has_button:
        with places.button, ui.on_every_slide("train"):
            training_runs.button(model.settings, model.state)
    with places.line:
        training_runs.say_why(model.progresses)
        if model.state in training_runs.AGAIN:
            training_runs.say_how_far(model.settings, model.progresses)
        elif not (ask or presenting.is_at_station()):
            is_own = model.state == "finished" and not presenting.is_on()
            origin = _("Trained on this server, from the first step to the last.") if is_own else ""
            if said := paragraph([outcome, origin]):
                st.caption(said)
    if ask:
        with places.question:
            ask()
