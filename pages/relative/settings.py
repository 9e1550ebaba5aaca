"""The controls of the view "Shift test"."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence, check_heads
from embedviz.base.i18n import _, translated
from embedviz.positions import SCHEMES
from embedviz.text.tokens import TOKENIZERS
from embedviz.ui import Frame, on_every_slide, turns
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.controls import seed_field, size_field, tokenizer_field
from embedviz.ui.inputs.fields import BOUND, one_of, text_within, whole_number
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.inputs.source_field import chosen_source, spec_source
from embedviz.ui.messages import literal, stop, stop_at_error
from embedviz.vectors import tables
from embedviz.vectors.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, Spec

MAX_CHARACTERS = 1000
_TEXT = "the cat sat on the mat"
# "words" would need a vocabulary of its own for every text.
_TOKENIZERS = tuple(name for name in TOKENIZERS if name != "words")


class Asked(NamedTuple):
    """The sentence, the two schemes that are drawn, how many tokens stand before the sentence, what is compared."""

    sentence: Sentence
    drawn: list[str]
    later: int
    part: str


def settings(frame: Frame) -> tuple[dict[str, Any], int]:
    """Where the vectors come from, and which of the heads is shown, counted from 0."""
    with frame.settings():
        spec = _spec()
        return spec, whole_number(_("Head"), 1, N_HEADS, 1, key="head", help=_("Of {n_heads}.", n_heads=N_HEADS)) - 1


def fields(frame: Frame, settings: tuple[dict[str, Any], int]) -> Asked:
    """The phrase, two schemes and a place. A message, and nothing after it, if the sentence does not fit.

    A message says so if the source has no table for the scheme "Learned".
    """
    spec, head = settings
    text, left, right, where = frame.inputs.columns([9, 6, 6, 25])
    with where, on_every_slide("later"):
        place, what = st.columns([7, 18])  # which stay beside each other in a hall
    later = place.slider(_("Later by"), 0, SHIFTS[-1], 32, key="later", **BOUND)
    with what:
        part = one_of(_("Of the phrase"), OPTIONS["part"], key="part")
    with text:
        typed = text_within(st.text_input, _("Sentence"), _TEXT, MAX_CHARACTERS, key="sentence")
    with frame.messages, stop_at_error(spec["source"]):
        sentence = _sentence(typed, Spec(**spec), head)
    first = "learned" if "learned" in sentence.schemes else "sinusoidal"
    drawn = [
        _scheme(left, _("One scheme"), "one", sentence.schemes, first),
        _scheme(right, _("Another"), "another", sentence.schemes, "rope"),
    ]
    source = sentence.spec.origin
    if not source.has_positions:
        said = _("{about} So “Learned” is left out here: there is no table to add.", about=source.about_positions())
        frame.messages.info(literal(said), icon=":material/info:")
    return Asked(sentence, drawn, later, part)


def _scheme(place: DeltaGenerator, label: str, key: str, names: Sequence[str], default: str) -> str:
    by_option = {name.replace("_", "-"): name for name in names}
    options = list(by_option)
    said = {"format_func": lambda option: translated(SCHEMES[by_option[option]].title), "key": key}
    return by_option[place.selectbox(label, options, options.index(default), **said, **BOUND)]


def _spec() -> dict[str, Any]:
    source = chosen_source()
    return {
        "source": spec_source(source),
        "tokenizer": tokenizer_field(source, _TOKENIZERS),
        "output_dim": size_field("output_dim", source, MAX_OUTPUT_DIM),
        "seed": seed_field(source, seeded=True),  # of the head's matrices too
        "context_length": size_field(
            "context_length", source, MAX_CONTEXT_LENGTH, help=_("Rows of the learned positional table.")
        ),
    }


def _sentence(text: str, spec: Spec, head: int) -> Sentence:
    # RoPE asks most of the sizes: each head needs pairs.
    check_heads(spec.output_dim)
    (tokens,) = sentences.tokens([st.container()], [text], spec, sentences.MAX_DRAWN, says_empty=False)
    if sentences.is_empty(tokens):
        st.info(_("The sentence is empty: type a few words."), icon=":material/edit:")
    if not tokens.ids:
        stop()
    found = Sentence(tokens, spec, head)
    with nullcontext() if tables.is_ready(tokens.vocab_size, spec, tokens.ids) else turns.release_lock():
        _made = found.token_embeddings  # here, where the page can say why there are none
        if spec.origin.has_positions:
            tables.position_table(tokens.vocab_size, spec)
    return found
