"""The controls of a Spec: each bound to the URL under the name that the Spec gives it."""

from collections.abc import Sequence

import streamlit as st

from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import N_, _, translated
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions import SCHEMES
from embedviz.text.tokens import TOKENIZERS
from embedviz.ui.fields import BOUND, whole_number
from embedviz.vectors.sources import SOURCES
from embedviz.vectors.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, Spec

_LABELS = {"output_dim": N_("Dimensions (output_dim)"), "context_length": "context_length"}
_DEFAULT = Spec()


def backend(*, seeded: bool = False) -> dict[str, object]:
    """Every setting of the Spec, one below the other.

    What the source decides is shown and cannot be changed. seeded: True if the page uses the seed for more than the
    tables.
    """
    source = chosen_source()
    tokenizer = tokenizer_field(
        source,
        help=_(
            "words: the words of both sentences, sorted. The others are the byte-pair tokenizers of GPT-2 "
            "(50,257 tokens), GPT-4 (100,277) and GPT-4o (200,019)."
        ),
    )
    quick = {"source": source, "tokenizer": tokenizer, "position": _position(), "position_scale": _position_scale()}
    return quick | _details(source, words=tokenizer == "words", seeded=seeded)


def chosen_source(usual: str = _DEFAULT.source) -> str:
    """Where the tables come from; `usual` if the address does not say."""
    return st.selectbox(
        _("Source"),
        list(SOURCES),
        list(SOURCES).index(usual),
        key="source",
        help=_(
            "Where the tables come from. {sources}",
            sources=" ".join(f"{each.name}: {each.about}." for each in SOURCES.values()),
        ),
        **BOUND,
    )


def whose(source: str) -> str:
    """Whose vectors the source has, for the line under the title."""
    own = {"random": _("Random vectors."), "trained": _("The trained vectors of a small GPT.")}
    return own.get(source) or _("The trained vectors of {model}.", model=CHECKPOINTS[source].title)


def shown_as_fixed(name: str, value: object, label: str = "") -> object:
    """A value that the source decides, in a field that cannot be changed. Not in the URL: the source is."""
    if name == "tokenizer":
        st.selectbox(_("Tokenizer"), [value], key="tokenizer_fixed", disabled=True)
    else:
        st.number_input(label or translated(_LABELS[name]), value=value, key=f"{name}_fixed_{value}", disabled=True)
    return value


def tokenizer_field(source: str = _DEFAULT.source, names: Sequence[str] = TOKENIZERS, help: str | None = None) -> str:
    """Which of these tokenizers, unless the source decides it."""
    if fixed := SOURCES[source].fixed.get("tokenizer"):
        return shown_as_fixed("tokenizer", fixed)
    return st.selectbox(_("Tokenizer"), names, names.index(_DEFAULT.tokenizer), key="tokenizer", help=help, **BOUND)


def _position() -> str:
    return st.selectbox(
        _("Positions"),
        list(SCHEMES),
        list(SCHEMES).index(_DEFAULT.position),
        key="position",
        help=_(
            "learned: a second table with a row for each position, as in GPT-2; untrained if the source is "
            "random. sinusoidal: sines and cosines, as in the first Transformer. The others add nothing to "
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
        help=_("The positional vectors times this."),
        **BOUND,
    )


def size_field(name: str, source: str, high: int, help: str | None = None) -> int:
    """A size of the Spec, unless the source decides it."""
    fixed = SOURCES[source].fixed
    if name in fixed:
        return shown_as_fixed(name, fixed[name])
    return whole_number(translated(_LABELS[name]), 1, high, getattr(_DEFAULT, name), key=name, help=help)


def seed_field(source: str, *, seeded: bool = False) -> int:
    """The seed, where the source uses one, or something else does."""
    if seeded or SOURCES[source].uses_seed:
        return whole_number(_("Seed"), 0, MAX_SEED, _DEFAULT.seed, key="seed")
    st.text_input(_("Seed"), _("not used"), key="seed_fixed", disabled=True)
    return _DEFAULT.seed


def _details(source: str, words: bool, seeded: bool) -> dict[str, object]:
    """The settings that are changed less often."""
    return {
        "prefix_space": st.toggle(
            _("Add prefix space"),
            _DEFAULT.prefix_space,
            key="prefix_space",
            disabled=words,
            help=_("Put a space before the first word, so that it gets the ID it has inside a sentence."),
            **BOUND,
        ),
        "lower_case": st.toggle(
            _("Lower case"), key="lower_case", disabled=not words, help=_("For the tokenizer “words”."), **BOUND
        ),
        "output_dim": size_field("output_dim", source, MAX_OUTPUT_DIM),
        "seed": seed_field(source, seeded=seeded),
        "context_length": size_field(
            "context_length",
            source,
            MAX_CONTEXT_LENGTH,
            help=_("Rows of the learned positional table. A longer sentence has no positions left."),
        ),
        "scale_embeddings": st.toggle(
            _("Token vectors × √d"),
            key="scale_embeddings",
            help=_("As in the first Transformer, so that added positions weigh less."),
            **BOUND,
        ),
    }
