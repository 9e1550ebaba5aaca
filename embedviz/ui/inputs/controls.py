"""The controls of a Spec: each bound to the URL under the name that the Spec gives it."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.checks import MAX_SEED
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_, _, translated
from embedviz.models import hub_model, is_name
from embedviz.positions import SCHEMES
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.tokens import TOKENIZERS
from embedviz.text.whitespace_tokens import SPACES
from embedviz.ui import presenting, turns
from embedviz.ui.inputs.fields import BOUND, CURRENT_PLACE, one_of, whole_number
from embedviz.ui.inputs.source_field import chosen_source, spec_source
from embedviz.ui.messages import literal
from embedviz.ui.slides import on_every_slide
from embedviz.vectors.sources import RANDOM, Source
from embedviz.vectors.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, Spec

_LABELS = {
    "tokenizer": N_("Tokenizer"),
    "position": N_("Position scheme"),
    "output_dim": N_("Dimensions (output_dim)"),
    "context_length": "context_length",
}
_DEFAULT = Spec()


def backend(*, seeded: bool = False) -> dict[str, object]:
    """Every setting of the Spec; what the source decides is fixed. seeded: True if the page uses the seed for more."""
    source = chosen_source()
    tokenizer = tokenizer_field(
        source,
        help=_(
            "words: the words of both sentences, sorted. Byte-pair tokenizers: gpt2 (GPT-2, 50,257 IDs), cl100k_base "
            "(GPT-4, 100,277 IDs) and o200k_base (GPT-4o to GPT-5 and the o-series, 200,019 IDs; gpt-oss adds special "
            "tokens to it and calls it o200k_harmony). In the last two some IDs stand for no token."
        ),
    )
    position = {"position": _position(source), "position_scale": _position_scale()}
    return (
        {"source": spec_source(source), "tokenizer": tokenizer} | position | _details(source, tokenizer, seeded=seeded)
    )


def fixed_fields(source: Source) -> Mapping[str, Any]:
    """The fields of Spec that the source decides; none if it cannot be read now, which the page says elsewhere."""
    try:
        return source.decided
    except Unavailable:
        return {}


def shown_as_fixed(name: str, value: Any, label: str = "") -> Any:
    """Show a value that the source decides, in a field that cannot be changed. The URL holds the source instead."""
    if isinstance(value, str):
        st.selectbox(label or translated(_LABELS[name]), [value], key=f"{name}_fixed", disabled=True)
    else:
        st.number_input(label or translated(_LABELS[name]), value=value, key=f"{name}_fixed_{value}", disabled=True)
    return value


def tokenizer_field(source: Source = RANDOM, names: Sequence[str] = TOKENIZERS, help: str | None = None) -> str:
    """Let the visitor choose one of these tokenizers, unless the source decides it."""
    if fixed := fixed_fields(source).get("tokenizer"):
        return shown_as_fixed("tokenizer", fixed)
    return st.selectbox(_("Tokenizer"), names, names.index(_DEFAULT.tokenizer), key="tokenizer", help=help, **BOUND)


def _position(source: Source) -> str:
    if fixed := fixed_fields(source).get("position"):
        return shown_as_fixed("position", fixed)
    names = [name for name in SCHEMES if name != "learned" or source.is_shared or source.has_positions]
    return st.selectbox(
        _("Position scheme"),
        names,
        names.index(_DEFAULT.position if _DEFAULT.position in names else "sinusoidal"),
        key="position",
        help=_(
            "learned: a second table with a row for each position, as in GPT-2; untrained if the source is "
            "random. sinusoidal: sines and cosines, as in the original Transformer. The others add nothing to "
            "the vectors: they act inside attention, see the pages Relative and Attention."
        ),
        **BOUND,
    )


def _position_scale() -> float:
    return st.slider(
        _("Position scale"),
        0.0,
        4.0,
        _DEFAULT.position_scale,
        0.05,
        key="position_scale",
        help=_("The positional vectors are multiplied by this number."),
        **BOUND,
    )


def size_field(name: str, source: Source, high: int, help: str | None = None) -> int:
    """Let the visitor choose a size of the Spec, unless the source decides it."""
    fixed = fixed_fields(source)
    if name in fixed:
        return shown_as_fixed(name, fixed[name])
    default: int = getattr(_DEFAULT, name)
    return whole_number(translated(_LABELS[name]), 1, high, default, key=name, help=help)


def seed_field(source: Source, *, seeded: bool = False) -> int:
    """Show the field of the seed, if the source or something else on the page uses a seed."""
    if seeded or source is RANDOM:
        return whole_number(_("Seed"), 0, MAX_SEED, _DEFAULT.seed, key="seed")
    st.text_input(_("Seed"), _("not used"), key="seed_fixed", disabled=True)
    return _DEFAULT.seed


def _details(source: Source, tokenizer: str, seeded: bool) -> dict[str, object]:
    """The settings that are changed less often."""
    words = tokenizer in ("words", SPACES)
    return {
        **_around(tokenizer),
        "prefix_space": st.toggle(
            _("Add prefix space"),
            _DEFAULT.prefix_space,
            key="prefix_space",
            disabled=words or not _of_model(tokenizer, "prefix_means", True),
            help=_(
                "Put a space before the first word, so that it gets the ID it has inside a sentence. Some tokenizers "
                "leave spaces out or put this space themselves; then the switch is off."
            ),
            **BOUND,
        ),
        "lower_case": st.toggle(
            _("Lower case"),
            key="lower_case",
            disabled=tokenizer != "words",
            help=_("For the tokenizer “words”."),
            **BOUND,
        ),
        "output_dim": size_field("output_dim", source, MAX_OUTPUT_DIM),
        "seed": seed_field(source, seeded=seeded),
        "context_length": size_field(
            "context_length",
            source,
            MAX_CONTEXT_LENGTH,
            help=_("Rows of the learned positional table. A longer sentence has no positions left."),
        ),
        "scale_embeddings": st.toggle(_("Token vectors × √d"), key="scale_embeddings", help=scaling_help(), **BOUND),
    }


def _around(tokenizer: str) -> dict[str, bool]:
    """The switch for the special tokens that a model's tokenizer puts around a text, if it puts any there."""
    adds = _of_model(tokenizer, "adds", ())
    if not adds:
        return {}
    switched = st.toggle(
        _("Special tokens: {tokens}", tokens=literal(" ".join(adds))),
        _DEFAULT.special_tokens,
        key="special_tokens",
        help=_(
            "The model was trained with these tokens around every text. The first of them takes position 0 and moves "
            "all others by one."
        ),
        **BOUND,
    )
    return {"special_tokens": switched}


def _of_model(tokenizer: str, fact: str, otherwise: Any) -> Any:
    """A fact of a model's tokenizer; `otherwise` for the other tokenizers, and for one that cannot be had."""
    if not is_name(tokenizer):
        return otherwise
    try:
        with turns.release_lock(unless=hub_model(tokenizer).is_tokenizer_near()):
            return getattr(model_tokens.tokenizer(tokenizer), fact)
    except EmbedvizError:
        return otherwise  # where the tokens would be, the page says why they are not


def scaling_help() -> str:
    """What multiplying token vectors by √d does here, and what it would do elsewhere."""
    return _(
        "The original Transformer does this; its paper gives no reason. Random rows here have standard deviation 1, so "
        "tokens become √d times as long and dwarf positions. Rows initialised with standard deviation "
        "0.02, as GPT-2's are, would not."
    )


def positions_field(
    offered: Sequence[str] = ("off", "on"), *, place: DeltaGenerator = CURRENT_PLACE, **options: Any
) -> str:
    """What is done to the positions, one of OPTIONS: the same control on every page with a model, off and on first.

    A reader sees them on at first, beside a trace of what is without them. In a hall they are off, until a key that
    leads on switches them on.
    """
    default = "off" if presenting.is_on() else "on"
    with nullcontext() if place is CURRENT_PLACE else place, on_every_slide("positions", by_key=True):
        usual = default if default in offered else offered[0]
        return one_of(_("Positions"), offered, key="positions", default=usual, label_visibility="collapsed", **options)
