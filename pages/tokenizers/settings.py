"""The fields of the page "Tokenizers": the text, the tokenizers to compare, the space before the text."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, joined, translated
from embedviz.models import is_name
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import TOKENIZERS
from embedviz.text.visible import quoted
from embedviz.ui import BOUND, OPTIONS, Frame, literal, one_of, ready_picker, show_error, stop, text_within
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.sentences import MAX_CHARACTERS

FIELD = N_("Text")
TEXTS = {
    N_("Rare word, number, Chinese"): "Sesquipedalian cat 猫 = 1234567",
    N_("One word, many spellings"): "The end: the END, the end.\nTheend",
    N_("Code and numbers"): "def area(r):\n    return 3.14159 * r**2  # 1234567",
    N_("Emoji and Chinese"): "A cat 🐈 is 猫, and 👩\u200d💻 is one picture.",
    N_("A long rare word"): "antidisestablishmentarianism, honorificabilitudinitatibus",
}
_DEFAULT = next(iter(TEXTS.values()))


class Asked(NamedTuple):
    """Both sentences or another text; the tokenizers that cut them, at least one; and what stands around each."""

    texts: list[str]
    tokenizers: list[str]
    prefix_space: bool
    special_tokens: bool


class Tokenizers(NamedTuple):
    """Those that cut, and whether a model's puts its special tokens around the text."""

    tokenizers: list[str]
    special_tokens: bool


def settings(frame: Frame) -> Tokenizers:
    """Those that cut, a model's among them."""
    with frame.settings():
        place = st.container()
        model = model_field(frame.messages)
        with place:
            chosen = tokenizers_field(model)
        return Tokenizers(chosen, special_tokens_field(chosen))


def fields(frame: Frame, chosen: Tokenizers) -> Asked:
    """What is cut, and those who cut it. Says what is missing, and shows nothing more without a tokenizer."""
    left, right = frame.inputs.columns([4, 2.2])
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        is_pair = one_of(_("Text"), OPTIONS["cut"], key="cut", default=_default_cut()) == "pair"
        prefix_space = prefix_space_field(is_pair=is_pair)
    texts = pair_fields(left) if is_pair else text_fields(left)
    with frame.messages:
        needs(texts, chosen.tokenizers)
    if not chosen.tokenizers:
        stop()
    return Asked(texts, chosen.tokenizers, prefix_space, chosen.special_tokens)


def _default_cut() -> str:
    """What is cut if the address does not say it: a text, if it has one."""
    return "text" if "text" in st.query_params else "pair"


def pair_fields(place: DeltaGenerator) -> list[str]:
    """The fields of both sentences."""
    with place:
        left, right = sentences.columns([1, 1])
    return [*sentences.both(left, right)]


def text_fields(place: DeltaGenerator) -> list[str]:
    """The field of another text, with its examples."""
    area, ready = place.columns([2.6, 1])
    with area:
        text = text_field()
    with ready:
        text_picker(text)
    return [text]


def text_field() -> str:
    """A text area that updates while one types; a longer text is cut, and the page says so."""
    return text_within(st.text_area, translated(FIELD), _DEFAULT, MAX_CHARACTERS, key="text", height=68)


def text_picker(current: str) -> None:
    """Example texts; names the one on screen, or says that it is the reader's own."""
    ready_picker(_("Example texts"), TEXTS, current, key="ready_text", fields=("text",), take=_take_text)


def _take_text() -> None:
    name = st.session_state["ready_text"]
    if name in TEXTS:
        st.session_state["text"] = TEXTS[name]


def tokenizers_field(model: str = "") -> list[str]:
    """The tokenizers to compare, in their usual order; the last choice is that of the model, if one is named."""
    choices = [*TOKENIZERS, *([model] if model else [])]
    _join(model, choices)
    names = st.pills(_("Tokenizers"), choices, selection_mode="multi", default=choices, key="tokenizers", **BOUND)
    return [name for name in choices if name in names]


def _join(model: str, choices: Sequence[str]) -> None:
    """Choose the tokenizer of a model that was just named, and forget that of the model before."""
    before = st.session_state.get("model_named", "")
    st.session_state["model_named"] = model
    if before == model or "tokenizers" not in st.session_state:
        return
    kept = [name for name in st.session_state["tokenizers"] if name in choices and name != model]
    st.session_state["tokenizers"] = [*kept, *([model] if model else [])]


def prefix_space_field(*, is_pair: bool) -> bool:
    """Whether to put a space before the text. That of both sentences is the same on all pages."""
    help_ = _(
        "Put a space before the first word, so that a byte-pair tokenizer gives it the ID it has inside a sentence."
    )
    if is_pair:
        return st.toggle(_("Add prefix space"), usual_pair().prefix_space, key="prefix_space", help=help_, **BOUND)
    return st.toggle(_("Add prefix space"), key="leading_space", help=help_, **BOUND)


def needs(texts: Sequence[str], names: Sequence[str]) -> None:
    """Say what is missing, if anything is."""
    for name, text in zip("AB", texts, strict=False):
        if not text and len(texts) > 1:
            st.info(_("Sentence {name} is empty: type a few words.", name=name), icon=":material/edit:")
        elif not text:
            st.info(_("The text is empty: type a few words, or pick an example text."), icon=":material/edit:")
    if not names:
        st.info(_("Choose at least one tokenizer."), icon=":material/segment:")


_MOST_SHOWN = 60  # characters of what is no name


def model_field(below: DeltaGenerator) -> str:
    """Let the visitor name a model. Return the name if its tokenizer can be used; else a message below says why not."""
    help_ = _(
        "The name of a model on the Hugging Face Hub, such as google-bert/bert-base-uncased. Its file tokenizer.json "
        "is all that is read."
    )
    label, example = _("A model's tokenizer"), _("owner/name")
    name = st.text_input(
        label, key="model_tokenizer", placeholder=example, autocomplete="off", help=help_, **BOUND
    ).strip()
    if not name:
        return ""
    try:
        if not is_name(name):
            raise EmbedvizError(
                "{name} is no name of a model. Write its owner, a slash and its name: google-bert/bert-base-uncased.",
                name=quoted(name[:_MOST_SHOWN]),
            )
        model_tokens.tokenizer(name)
    except EmbedvizError as error:
        with below:
            show_error(error)
        return ""
    return name


def special_tokens_field(chosen: Sequence[str]) -> bool:
    """Whether the special tokens of the chosen model are put around the text; asked only if it has such tokens."""
    added = [token for model in filter(None, map(model_tokens.tokenizer_of, chosen)) for token in model.adds]
    if not added:
        return True
    tokens = joined([quoted(token) for token in added])
    help_ = literal(_("Put around the text what the model's own tokenizer puts there: {tokens}.", tokens=tokens))
    return st.toggle(_("Add special tokens"), True, key="special_tokens", help=help_, **BOUND)
