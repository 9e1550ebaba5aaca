"""The controls of a page: each bound to the URL under the name that the Spec gives it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import tables
from embedviz.embedding import Embedded, embed_tokens, tokenize_for, with_vocabulary
from embedviz.errors import EmbedvizError
from embedviz.positions import SCHEMES
from embedviz.samples import pairs
from embedviz.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, MAX_SEED, SOURCES, TOKENIZERS, Spec
from embedviz.tokens import Tokens
from embedviz.ui import turns
from embedviz.ui.amount import amount
from embedviz.ui.chips import chips
from embedviz.ui.fields import whole_number
from embedviz.ui.literal import literal

MAX_CHARACTERS = 2000  # two sentences of this length still make a URL that servers take
MAX_TOKENS = 256
_URL = {"bind": "query-params"}
_DEFAULT = Spec()


def sentence(column: DeltaGenerator, name: str, default: str) -> str:
    """A text field that updates while one types; a longer text is cut, and the page says so."""
    key = name.lower()
    with column:
        text = st.text_input(
            f"Sentence {name}",
            default,
            key=key,
            live="250ms",
            on_change=_cut,
            args=(key,),
            autocomplete="off",
            bind="query-params",
        )
        length = st.session_state.get(f"{key}_length", 0)
        if max(length, len(text)) > MAX_CHARACTERS:
            st.warning(
                f"{max(length, len(text)):,} characters are too many; the first {MAX_CHARACTERS:,} are used.",
                icon=":material/content_cut:",
            )
    return text[:MAX_CHARACTERS]


def _cut(key: str) -> None:
    text = st.session_state[key]
    st.session_state[f"{key}_length"] = len(text)
    if len(text) > MAX_CHARACTERS:
        st.session_state[key] = text[:MAX_CHARACTERS]


def pair_picker(current: tuple[str, str, bool]) -> None:
    """Ready pairs of sentences; shows the one on screen, or none once it was edited."""
    if st.session_state.pop("took_pair", False):
        st.rerun()  # the whole page: the switch for the space before the first word is outside this part
    names = [pair.name for pair in pairs()]
    on_screen = [pair.name for pair in pairs() if (pair.a, pair.b, pair.prefix_space) == current]
    st.session_state["pair"] = on_screen[0] if on_screen else None
    st.selectbox(
        "Ready pairs",
        names,
        index=None,
        key="pair",
        on_change=_take_pair,
        placeholder="Your own",
        required=False,
    )


def _take_pair() -> None:
    chosen = [pair for pair in pairs() if pair.name == st.session_state["pair"]]
    for pair in chosen:
        st.session_state.update({"a": pair.a, "b": pair.b, "prefix_space": pair.prefix_space})
        st.session_state.update({"a_length": len(pair.a), "b_length": len(pair.b), "took_pair": True})


def backend(quick: Sequence[DeltaGenerator], more: DeltaGenerator) -> dict[str, object]:
    """Every setting of the Spec: three in the columns `quick`, the rest in a popover."""
    settings: dict[str, object] = {}
    for column, control in zip(quick, (_tokenizer, _position, _position_scale), strict=True):
        with column:
            settings[control.__name__[1:]] = control()
    with more, st.popover("More", width="stretch"):
        return settings | _details(words=settings["tokenizer"] == "words")


def _tokenizer() -> str:
    return st.selectbox(
        "Tokenizer",
        TOKENIZERS,
        TOKENIZERS.index(_DEFAULT.tokenizer),
        key="tokenizer",
        help="words: the words of both sentences, sorted. The others are the byte-pair tokenizers of "
        "GPT-2 (50,257 tokens), GPT-4 (100,277) and GPT-4o (200,019).",
        **_URL,
    )


def _position() -> str:
    return st.selectbox(
        "Positions",
        list(SCHEMES),
        list(SCHEMES).index(_DEFAULT.position),
        key="position",
        help="learned: a second table with a row for each position, as in GPT-2, here untrained. "
        "sinusoidal: sines and cosines, as in the first Transformer. The others add nothing to the vectors: "
        "they act inside attention, see the pages Relative and Attention.",
        **_URL,
    )


def _position_scale() -> float:
    return st.slider(
        "Position scale",
        0.0,
        4.0,
        _DEFAULT.position_scale,
        0.05,
        key="position_scale",
        help="The positional vectors times this.",
        **_URL,
    )


def _details(words: bool) -> dict[str, object]:
    """The settings that are changed less often."""
    return {
        "prefix_space": st.toggle(
            "Add prefix space",
            _DEFAULT.prefix_space,
            key="prefix_space",
            disabled=words,
            help="Put a space before the first word, so that it gets the ID it has inside a sentence.",
            **_URL,
        ),
        "lower_case": st.toggle(
            "Lower case", key="lower_case", disabled=not words, help="For the tokenizer “words”.", **_URL
        ),
        "source": st.selectbox(
            "Source",
            SOURCES,
            key="source",
            help="random: standard normal numbers, as PyTorch fills a new table.",
            **_URL,
        ),
        "output_dim": whole_number("Dimensions (output_dim)", 1, MAX_OUTPUT_DIM, _DEFAULT.output_dim, key="output_dim"),
        "seed": whole_number("Seed", 0, MAX_SEED, _DEFAULT.seed, key="seed"),
        "context_length": whole_number(
            "context_length",
            1,
            MAX_CONTEXT_LENGTH,
            _DEFAULT.context_length,
            key="context_length",
            help="Rows of the learned positional table. A longer sentence has no positions left.",
        ),
        "scale_embeddings": st.toggle(
            "Token vectors × √d",
            key="scale_embeddings",
            help="As in the first Transformer, so that added positions weigh less.",
            **_URL,
        ),
    }


def spec_or_message(settings: dict[str, object], *texts: str) -> Spec:
    """The Spec under which all texts share one backend; a message, and nothing after it, if there is none."""
    with _message():
        return with_vocabulary(Spec(**settings), *texts)


def tokens(left: DeltaGenerator, right: DeltaGenerator, texts: tuple[str, str], spec: Spec) -> list[Tokens]:
    """The tokens of both sentences, shown as chips in their columns; at most MAX_TOKENS each."""
    found = [tokenize_for(text, spec) for text in texts]
    shown = [sentence.head(MAX_TOKENS) for sentence in found]
    order = [id_ for sentence in shown for id_ in sentence.ids]
    for column, name, whole, part in zip((left, right), "AB", found, shown, strict=True):
        with column:
            chips(part, key=f"chips_{name}", label=f"Tokens of {name}", colour_order=order)
            if part.is_cut:
                st.warning(
                    f"{len(whole):,} tokens are too many to show; the first {MAX_TOKENS} are used.",
                    icon=":material/content_cut:",
                )
            if not part.ids:
                st.info(f"Sentence {name} is empty: type a few words.", icon=":material/edit:")
    return shown


def embed_or_message(a: Tokens, b: Tokens, spec: Spec) -> tuple[Embedded, Embedded]:
    """Both sentences as vectors; a message, and nothing after it, if the Spec does not allow it."""
    if not a.ids and not b.ids:
        st.stop()
    ready = tables.is_ready(a.vocab_size, spec)
    with _message(), nullcontext() if ready else turns.pause():
        return embed_tokens(a, spec), embed_tokens(b, spec)


def amount_and_axes() -> int:
    """The slider that adds positions in the browser, and the number of axes of the map beside it."""
    slider, choice = st.columns([2.6, 1], vertical_alignment="center")
    with slider:
        amount()
    with choice:
        axes = st.segmented_control(
            "Axes",
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
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()
