"""The controls of the page "Training": what is to be trained."""

import streamlit as st

from embedviz.base.checks import MAX_SEED
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, pgettext
from embedviz.text.grammar import LEARNED
from embedviz.training.corpus import MAX_CHARACTERS, check_text
from embedviz.training.train import MAX_CONTEXT_LENGTH, MAX_LAYERS, MAX_STEPS, OUTPUT_DIMS, TrainingSettings
from embedviz.ui import BOUND, OPTIONS, Frame, label_of, show_error, text_within, whole_number

_DEFAULT = TrainingSettings()


def training_settings(frame: Frame) -> TrainingSettings | None:
    """What to train; None and a message if the text does not fit."""
    with frame.settings():
        source = _source()
        chosen = _differences() | _details()
    with frame.messages:
        return _with_text(source == "own", chosen)


def _differences() -> dict[str, object]:
    """Whether positions are told, and whether the words keep their order."""
    with_positions = st.toggle(_("Positions"), True, key="positions", **BOUND)
    help_ = _("The words of each sentence in another order; the full stop stays at the end.")
    shuffled = st.toggle(_("Shuffled"), key="shuffled", help=help_, **BOUND)
    return {"positions": "learned" if with_positions else "none", "shuffled": shuffled}


def _source() -> str:
    help_ = _(
        "The site’s own language: {n:,} items such as “the cat sat on the hat , who sat ? cat .”. My own: up to "
        "{most:,} characters that you paste.",
        n=len(LEARNED),
        most=MAX_CHARACTERS,
    )
    return st.selectbox(
        _("Text"), list(OPTIONS["corpus"]), format_func=label_of("corpus"), key="corpus", help=help_, **BOUND
    )


def _details() -> dict[str, object]:
    """The settings that are changed less often."""
    tied = _("The layer that predicts the next word is the token table itself.")
    return {
        "tied": st.toggle(_("Tied head"), True, key="tied", help=tied, **BOUND),
        "n_layers": whole_number(pgettext("how many", "Layers"), 1, MAX_LAYERS, _DEFAULT.n_layers, key="n_layers"),
        "output_dim": st.selectbox(
            "output_dim", OUTPUT_DIMS, OUTPUT_DIMS.index(_DEFAULT.output_dim), key="dims", **BOUND
        ),
        "context_length": whole_number("context_length", 4, MAX_CONTEXT_LENGTH, _DEFAULT.context_length, key="context"),
        # Where runs have to be shorter than the recorded one, the longest that is allowed comes in its place.
        "steps": whole_number(_("Steps"), 1, MAX_STEPS, min(_DEFAULT.steps, MAX_STEPS), key="steps"),
        "seed": whole_number(_("Seed"), 0, MAX_SEED, _DEFAULT.seed, key="seed"),
    }


def _with_text(is_own: bool, chosen: dict) -> TrainingSettings | None:
    if not is_own:
        return TrainingSettings(**chosen)
    text = text_within(st.text_area, _("Your text"), "", MAX_CHARACTERS, key="own", height=90)
    if not text.strip():
        st.info(_("Paste a text to train on: some sentences, better a few hundred words."), icon=":material/edit:")
        return None
    try:
        check_text(text, chosen["context_length"])
        return TrainingSettings(text=text, **chosen)
    except EmbedvizError as error:
        show_error(error)
        return None
