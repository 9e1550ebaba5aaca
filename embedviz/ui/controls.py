"""The controls of a Spec: each bound to the URL under the name that the Spec gives it."""

from collections.abc import Sequence

import streamlit as st

from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import N_, _, translated
from embedviz.models.checkpoints import checkpoint
from embedviz.positions import SCHEMES
from embedviz.text.tokens import TOKENIZERS
from embedviz.ui.fields import BOUND, whole_number
from embedviz.vectors.sources import SOURCES, decided
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
            "words: the words of both sentences, sorted. Byte-pair tokenizers: gpt2 (GPT-2, 50,257 IDs), cl100k_base "
            "(GPT-4, 100,277 IDs) and o200k_base (GPT-4o, 200,019 IDs). In the last two some IDs stand for no token."
        ),
    )
    quick = {"source": source, "tokenizer": tokenizer, "position": _position(), "position_scale": _position_scale()}
    return quick | _details(source, words=tokenizer == "words", seeded=seeded)


def chosen_source(usual: str | None = _DEFAULT.source) -> str | None:
    """Return where the tables come from. It is `usual` if the address does not say.

    If `usual` is None, the address always says it, and any name may stand there.
    """
    return st.selectbox(
        _("Source"),
        list(SOURCES),
        usual and list(SOURCES).index(usual),
        key="source",
        help=_(
            "Where the tables come from. {sources}",
            sources=" ".join(f"{each.name}: {each.about}." for each in SOURCES.values()),
        ),
        accept_new_options=usual is None,
        required=usual is None,
        **BOUND,
    )


def whose(source: str) -> str:
    """Whose vectors the source has, for the line under the title."""
    own = {
        "random": _("Random, untrained vectors: closeness means nothing yet."),
        "trained": _("The trained vectors of a small GPT."),
    }
    return own.get(source) or _("The trained vectors of {model}.", model=checkpoint(source).title)


def shown_as_fixed(name: str, value: object, label: str = "") -> object:
    """Show a value that the source decides, in a field that cannot be changed.

    The URL does not hold this value, since it holds the source.
    """
    if name == "tokenizer":
        st.selectbox(_("Tokenizer"), [value], key="tokenizer_fixed", disabled=True)
    else:
        st.number_input(label or translated(_LABELS[name]), value=value, key=f"{name}_fixed_{value}", disabled=True)
    return value


def tokenizer_field(source: str = _DEFAULT.source, names: Sequence[str] = TOKENIZERS, help: str | None = None) -> str:
    """Let the visitor choose one of these tokenizers, unless the source decides it."""
    if fixed := decided(source).get("tokenizer"):
        return shown_as_fixed("tokenizer", fixed)
    return st.selectbox(_("Tokenizer"), names, names.index(_DEFAULT.tokenizer), key="tokenizer", help=help, **BOUND)


def _position() -> str:
    return st.selectbox(
        _("Position scheme"),
        list(SCHEMES),
        list(SCHEMES).index(_DEFAULT.position),
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
        help=_("The positional vectors times this."),
        **BOUND,
    )


def size_field(name: str, source: str, high: int, help: str | None = None) -> int:
    """Let the visitor choose a size of the Spec, unless the source decides it."""
    fixed = decided(source)
    if name in fixed:
        return shown_as_fixed(name, fixed[name])
    return whole_number(translated(_LABELS[name]), 1, high, getattr(_DEFAULT, name), key=name, help=help)


def seed_field(source: str, *, seeded: bool = False) -> int:
    """Show the field of the seed, if the source or something else on the page uses a seed."""
    if seeded or source == "random":
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
            help=scaling_help(),
            **BOUND,
        ),
    }


def scaling_help() -> str:
    """What multiplying token vectors by √d does here, and what it would do elsewhere."""
    return _(
        "The original Transformer does this; its paper gives no reason. Random rows here have standard deviation 1, so "
        "tokens become √d times as long and dwarf positions. Rows that start at 0.02, as GPT-2's do, would not."
    )
