"""The controls of the page "Vocabulary": the backend, and how the map is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _
from embedviz.ui import BOUND, OPTIONS, Frame, label_of, stop_at_error
from embedviz.ui.inputs.controls import fixed_fields, seed_field, size_field, tokenizer_field
from embedviz.ui.inputs.source_field import spec_source
from embedviz.vectors.sources import RANDOM, Source
from embedviz.vectors.spec import MAX_OUTPUT_DIM, Spec
from embedviz.vocabulary.token_map import View
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of, vocabulary, words_of
from pages.vocabulary.token_search import SearchResult, first_of, token_field


@dataclass(frozen=True)
class MapSettings:
    """What the controls say: the backend, how the map is drawn, and its colours."""

    spec: Spec
    view: View
    colour: str


def map_settings(frame: Frame, sheet: DeltaGenerator, source: Source) -> MapSettings:
    """The controls above the map and in the sheet; a message, and nothing after it, if they do not go together."""
    with frame.messages, stop_at_error(source.name):
        source.layout()  # which says what is wrong with a model
    way, colour = frame.inputs.columns(2)
    with sheet:
        tokenizer = tokenizer_field(source)
    with way:
        method = _method()
    with sheet:
        values: dict[str, Any] = {"source": spec_source(source), "tokenizer": tokenizer} | _backend(source, tokenizer)
    with frame.messages, stop_at_error(source.name):
        spec = Spec(**values)
        spec = replace(spec, vocabulary=words_of(spec))
    with sheet:
        help_ = _("Centre the vectors and bring each to length 1 before they are mapped.")
        sphereize = st.toggle(_("Sphereize"), key="sphereize", help=help_, **BOUND)
    with colour:
        chosen = _colour_of(spec)
    return MapSettings(spec, View(method, sphereize), chosen)


def _method() -> str:
    help_ = _("PCA: exact principal components of the whole table. Axis: along the difference of two tokens.")
    return st.selectbox(_("Map"), list(OPTIONS["map"]), format_func=label_of("map"), key="map", help=help_, **BOUND)


def _colour_of(spec: Spec) -> str:
    known = bool(classes_of(vocabulary(spec))) if spec.tokenizer == "words" else False
    names = [name for name in OPTIONS["colour"] if known or name != "class"]
    return colour_field(names, "class" if known else names[0])


def colour_field(names: Sequence[str], default: str) -> str:
    """The field for what the colours of the map mean."""
    help_ = _(
        "token ID: in most tokenizers the order in which byte pairs were merged when the tokenizer was made. Pairs "
        "that were frequent in its training text were merged first, so a low ID says roughly that a token is "
        "frequent; it is no count. In “words” the order is that of the alphabet."
    )
    how = {"format_func": label_of("colour"), "key": "colour", "help": help_}
    return st.selectbox(_("Colour"), names, names.index(default), **how, **BOUND)


def _backend(source: Source, tokenizer: str) -> dict[str, object]:
    """Settings of the Spec that are changed less often; what the source decides is left to it."""
    output_dim = size_field("output_dim", source, MAX_OUTPUT_DIM)
    seed = seed_field(source)
    lower_case = st.toggle(
        _("Lower case"), key="lower_case", disabled=tokenizer != "words" or source is not RANDOM, **BOUND
    )
    fixed = fixed_fields(source)
    values = {"output_dim": output_dim, "seed": seed, "lower_case": lower_case and source is RANDOM}
    return {name: value for name, value in values.items() if name not in fixed}


def axis_fields(tokens: Vocabulary) -> tuple[int, int]:
    """The two tokens that an axis leads from and to."""
    left, right = st.columns(2)
    with left:
        start = token_field(_("Axis from"), first_of((" man", " he", "#0"), tokens), tokens, key="from")
    with right:
        # Translators: The token that an axis leads to, beside the field "Axis from".
        end = token_field(_("to"), first_of((" woman", " she", f"#{len(tokens) - 1}"), tokens), tokens, key="to")
    return start, end


def ids_shown_alone(result: SearchResult) -> tuple[int, ...]:
    """Return the IDs of the lit tokens, in order, if the reader maps them alone, and nothing for all tokens."""
    alone = st.toggle(_("Show only these"), key="alone", help=_("Map only the highlighted tokens."), **BOUND)
    if not alone:
        return ()
    if len(result.lit) < 2:
        st.info(_("A map needs at least two tokens."), icon=":material/info:")
        return ()
    return tuple(sorted(set(result.lit)))
