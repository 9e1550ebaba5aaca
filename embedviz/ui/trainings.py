"""The controls of the page "Training", and who waits for what."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.corpus import MAX_CHARACTERS, check_text
from embedviz.errors import EmbedvizError
from embedviz.run import Run
from embedviz.runs import State, runs
from embedviz.spec import MAX_SEED
from embedviz.texts import N_, _, ngettext, translated
from embedviz.training import MAX_CONTEXT_LENGTH, MAX_LAYERS, MAX_STEPS, OUTPUT_DIMS, Settings
from embedviz.ui.fields import text_within, view_of, whole_number
from embedviz.ui.literal import literal
from embedviz.ui.training_views import VIEWS
from embedviz.ui.turns import turn
from embedviz.ui.visitor import visitor

_GRAMMAR, _OWN = N_("Cats, dogs and mats"), N_("My own")
_URL = {"bind": "query-params"}
_DEFAULT = Settings()
_LOOK, _WAIT = 0.5, 2.0  # seconds between two looks at one's own run, and at the line
_TEXT_HELP = _(
    "Cats, dogs and mats: 3,000 sentences of a small grammar, whose word classes are known. My own: up "
    "to {most:,} characters that you paste.",
    most=MAX_CHARACTERS,
)


def view() -> str:
    """Which of the three pictures."""
    return view_of(_("Show"), VIEWS, key="part")


def settings(columns: Sequence[DeltaGenerator], below: DeltaGenerator, view: str) -> Settings | None:
    """What to train; None and a message if the text does not fit."""
    text, positions, shuffled, more = columns
    with text:
        source = st.selectbox(_("Text"), [_GRAMMAR, _OWN], format_func=translated, key="text", help=_TEXT_HELP, **_URL)
    with positions:
        with_positions = st.toggle(_("Positions"), True, key="positions", disabled=view == "Order", **_URL)
    with shuffled:
        is_shuffled = st.toggle(_("Shuffled"), key="shuffled", disabled=view == "Order", help=_SHUFFLED_HELP, **_URL)
    with more, st.popover(_("More"), width="stretch", key="more"):
        details = _details()
    chosen = details | {"positions": with_positions, "shuffled": is_shuffled}
    with below:
        return _with_text(source == _OWN, chosen)


_SHUFFLED_HELP = _("The words of each sentence in another order; the full stop stays at the end.")


def _details() -> dict[str, object]:
    """The settings that are changed less often."""
    return {
        "tied": st.toggle(
            _("Tied head"),
            True,
            key="tied",
            help=_("The layer that names the next word is the token table itself."),
            **_URL,
        ),
        "n_layers": whole_number(_("Layers"), 1, MAX_LAYERS, _DEFAULT.n_layers, key="n_layers"),
        "output_dim": st.selectbox(
            "output_dim", OUTPUT_DIMS, OUTPUT_DIMS.index(_DEFAULT.output_dim), key="dims", **_URL
        ),
        "context_length": whole_number("context_length", 4, MAX_CONTEXT_LENGTH, _DEFAULT.context_length, key="context"),
        "steps": whole_number(_("Steps"), 1, MAX_STEPS, _DEFAULT.steps, key="steps"),
        "seed": whole_number(_("Seed"), 0, MAX_SEED, _DEFAULT.seed, key="seed"),
    }


def _with_text(is_own: bool, chosen: dict) -> Settings | None:
    if not is_own:
        return Settings(**chosen)
    text = text_within(st.text_area, _("Your text"), "", MAX_CHARACTERS, key="own", height=90)
    try:
        if not text.strip():
            raise EmbedvizError(_("Paste a text to train on: some sentences, better a few hundred words."))
        check_text(text, chosen["context_length"])
        return Settings(text=text, **chosen)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return None


def wanted(chosen: Settings, view: str) -> list[Settings]:
    """The runs that a view needs: itself, or for "Order" three that differ in one thing each."""
    if view != "Order":
        return [chosen]
    plain = replace(chosen, positions=True, shuffled=False)
    return [plain, replace(plain, positions=False), replace(plain, shuffled=True)]


def states(of: Sequence[Settings]) -> list[State | None]:
    """How far each run is."""
    return [runs.look(each, visitor()) for each in of]


def finished(of: Sequence[State | None]) -> list[Run] | None:
    """The runs, once all of them are finished."""
    found = [state.run for state in of if state and state.run and state.run.is_finished]
    return found if len(found) == len(of) else None


def is_under_way(of: Sequence[State | None]) -> bool:
    """True if the visitor waits for one of them."""
    return any(state and not state.error and not (state.run and state.run.is_finished) for state in of)


def is_ones_turn(of: Sequence[State | None]) -> bool:
    """True if one of the runs is being trained, and not waiting."""
    return any(state.place == 0 for state in of if state and is_under_way([state]))


def button(column: DeltaGenerator, of: Sequence[Settings], found: Sequence[State | None]) -> None:
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


def _ask(of: list[Settings]) -> None:
    try:
        runs.ask(visitor(), *of)
    except EmbedvizError as error:
        st.session_state["training_refused"] = str(error)


def invitation(of: Sequence[Settings], found: Sequence[State | None]) -> None:
    """Nothing to show yet: what to do, and what went wrong if something did."""
    errors = [state.error for state in found if state and state.error]
    refused = st.session_state.pop("training_refused", None)
    for message in dict.fromkeys([*errors, *([refused] if refused else [])]):
        st.error(literal(message), icon=":material/error:")
    missing = len(of) - sum(1 for state in found if state and state.run)
    what = (
        _("This run has not been trained yet. Press “Train”.")
        if len(of) == 1
        else _("{missing} of these {n} runs have not been trained yet. Press “Train”.", missing=missing, n=len(of))
    )
    st.info(what, icon=":material/model_training:")


def watch(of: list[Settings], view: str) -> None:
    """The run as it goes, or one's place in line; the page runs again when something changes."""
    is_first = is_ones_turn(states(of))

    @st.fragment(run_every=_LOOK if is_first else _WAIT)
    def look() -> None:
        with turn():
            found = states(of)
            if not is_under_way(found) or is_ones_turn(found) != is_first:
                st.rerun()
            _progress(of, found)
            if view != "Order" and found[0].run:
                VIEWS[view]([found[0].run])

    look()


def _progress(of: Sequence[Settings], found: Sequence[State | None]) -> None:
    total = sum(each.steps for each in of)
    done = sum(len(state.run.losses) for state in found if state and state.run)
    st.progress(done / total, progress_text(found, done, total))


def progress_text(found: Sequence[State | None], done: int, total: int) -> str:
    """Steps and time left, or how many are before."""
    lefts = [state.seconds_left for state in found if state and state.seconds_left is not None]
    if lefts:
        return _(
            "Step {done:,} of {total:,}, about {seconds} s left",
            done=done,
            total=total,
            seconds=max(1, round(sum(lefts))),
        )
    places = [state.place for state in found if state and not (state.run and state.run.is_finished)]
    before = min(places, default=0)
    if before:
        return ngettext(
            "{n} run is before yours. One is trained at a time.",
            "{n} runs are before yours. One is trained at a time.",
            before,
        )
    return _("It is your turn. The first numbers come in a moment.")
