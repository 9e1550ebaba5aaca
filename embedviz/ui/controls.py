"""The controls of a page: each bound to the URL under the name that the Spec gives it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import tables
from embedviz.checkpoints import CHECKPOINTS
from embedviz.embedding import Embedded, embed_tokens, tokenize_for, with_vocabulary
from embedviz.errors import EmbedvizError, Unavailable
from embedviz.positions import SCHEMES
from embedviz.samples import pairs
from embedviz.settings import configured
from embedviz.sources import SOURCES
from embedviz.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, MAX_SEED, TOKENIZERS, Spec
from embedviz.texts import _, translated
from embedviz.tokens import Tokens
from embedviz.ui import turns
from embedviz.ui.amount import amount
from embedviz.ui.chips import chips
from embedviz.ui.fields import text_within, whole_number
from embedviz.ui.literal import literal
from embedviz.ui.unavailable import unavailable

MAX_CHARACTERS = 2000  # two sentences of this length still make a URL that servers take
MAX_TOKENS = configured().tokens
_URL = {"bind": "query-params"}
_DEFAULT = Spec()


def sentence(column: DeltaGenerator, name: str, default: str) -> str:
    """A text field that updates while one types; a longer text is cut, and the page says so."""
    with column:
        return text_within(st.text_input, _("Sentence {name}", name=name), default, MAX_CHARACTERS, key=name.lower())


def pair_picker(current: tuple[str, str, bool]) -> None:
    """Ready pairs of sentences; shows the one on screen, or none once it was edited."""
    if st.session_state.pop("took_pair", False):
        st.rerun()  # the whole page: the switch for the space before the first word is outside this part
    names = [pair.name for pair in pairs()]
    on_screen = [pair.name for pair in pairs() if (pair.a, pair.b, pair.prefix_space) == current]
    st.session_state["pair"] = on_screen[0] if on_screen else None
    st.selectbox(
        _("Ready pairs"),
        names,
        index=None,
        format_func=translated,
        key="pair",
        on_change=_take_pair,
        placeholder=_("Your own"),
        required=False,
    )


def _take_pair() -> None:
    chosen = [pair for pair in pairs() if pair.name == st.session_state["pair"]]
    for pair in chosen:
        st.session_state.update({"a": pair.a, "b": pair.b, "prefix_space": pair.prefix_space, "took_pair": True})


def backend(quick: Sequence[DeltaGenerator], more: DeltaGenerator, *, seeded: bool = False) -> dict[str, object]:
    """Every setting of the Spec: three in the columns `quick`, the rest in a popover.

    What the source decides is shown and cannot be changed. seeded: whether more than the tables hangs on the seed.
    """
    with more:
        popover = st.popover(_("More"), width="stretch", key="more")
    with popover:
        source = chosen_source()
    fixed = SOURCES[source].fixed
    settings: dict[str, object] = {"source": source}
    for column, (name, control) in zip(quick, _QUICK.items(), strict=True):
        with column:
            settings[name] = shown_as_fixed(name, fixed[name]) if name in fixed else control()
    with popover:
        return settings | _details(source, words=settings["tokenizer"] == "words", seeded=seeded)


def chosen_source() -> str:
    """Where the tables come from."""
    return st.selectbox(
        _("Source"),
        list(SOURCES),
        key="source",
        help=_(
            "Where the tables come from. {sources}",
            sources=" ".join(f"{each.name}: {each.about}." for each in SOURCES.values()),
        ),
        **_URL,
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
        st.number_input(label or _LABELS[name], value=value, key=f"{name}_fixed_{value}", disabled=True)
    return value


def _tokenizer() -> str:
    return st.selectbox(
        _("Tokenizer"),
        TOKENIZERS,
        TOKENIZERS.index(_DEFAULT.tokenizer),
        key="tokenizer",
        help=_(
            "words: the words of both sentences, sorted. The others are the byte-pair tokenizers of GPT-2 "
            "(50,257 tokens), GPT-4 (100,277) and GPT-4o (200,019)."
        ),
        **_URL,
    )


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
        **_URL,
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
        **_URL,
    )


_QUICK = {"tokenizer": _tokenizer, "position": _position, "position_scale": _position_scale}
_LABELS = {"output_dim": _("Dimensions (output_dim)"), "context_length": "context_length"}


def size_field(name: str, source: str, high: int, help: str | None = None) -> int:
    """A size of the Spec, unless the source decides it."""
    fixed = SOURCES[source].fixed
    if name in fixed:
        return shown_as_fixed(name, fixed[name])
    return whole_number(_LABELS[name], 1, high, getattr(_DEFAULT, name), key=name, help=help)


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
            **_URL,
        ),
        "lower_case": st.toggle(
            _("Lower case"), key="lower_case", disabled=not words, help=_("For the tokenizer “words”."), **_URL
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
            **_URL,
        ),
    }


def spec_or_message(settings: dict[str, object], *texts: str) -> Spec:
    """The Spec under which all texts share one backend; a message, and nothing after it, if there is none."""
    with _message():
        return with_vocabulary(Spec(**settings), *texts)


def tokens(
    left: DeltaGenerator, right: DeltaGenerator, texts: tuple[str, str], spec: Spec, most: int = MAX_TOKENS
) -> list[Tokens]:
    """The tokens of both sentences, shown as chips in their columns; at most `most` each."""
    with _message():
        found = [tokenize_for(text, spec) for text in texts]
    shown = [sentence.head(most) for sentence in found]
    order = [id_ for sentence in shown for id_ in sentence.ids]
    for column, name, whole, part in zip((left, right), "AB", found, shown, strict=True):
        with column:
            chips(part, key=f"chips_{name}", label=_("Tokens of {name}", name=name), colour_order=order)
            if part.is_cut:
                st.warning(
                    _("{n:,} tokens are too many to show; the first {most} are used.", n=len(whole), most=most),
                    icon=":material/content_cut:",
                )
            if not part.ids:
                st.info(_("Sentence {name} is empty: type a few words.", name=name), icon=":material/edit:")
    return shown


def embed_or_message(a: Tokens, b: Tokens, spec: Spec) -> tuple[Embedded, Embedded]:
    """Both sentences as vectors; a message, and nothing after it, if the Spec does not allow it."""
    if not a.ids and not b.ids:
        st.stop()
    ready = all(tables.is_ready(each.vocab_size, spec, each.ids) for each in (a, b))
    try:
        with nullcontext() if ready else turns.pause():
            return embed_tokens(a, spec), embed_tokens(b, spec)
    except Unavailable as error:
        unavailable(error, spec.source)
    except EmbedvizError as error:
        _say(error)


def amount_and_axes() -> int:
    """The slider that adds positions in the browser, and the number of axes of the map beside it."""
    slider, choice = st.columns([2.6, 1], vertical_alignment="center")
    with slider:
        amount()
    with choice:
        axes = st.segmented_control(
            _("Axes"),
            ["2-D", "3-D"],
            default="2-D",
            required=True,
            key="axes",
            label_visibility="collapsed",
            bind="query-params",
        )
    return 3 if axes == "3-D" else 2


@contextmanager
def _message() -> Iterator[None]:
    """Turn an EmbedvizError into what was wrong and what would be right, and stop the page there."""
    try:
        yield
    except EmbedvizError as error:
        _say(error)


def _say(error: EmbedvizError) -> NoReturn:
    st.error(literal(str(error)), icon=":material/error:")
    st.stop()
