"""The fields of the page "Tokenizers": the text, the tokenizers to compare, the space before the text."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, joined, translated
from embedviz.models import is_name
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.tokens import TOKENIZERS
from embedviz.text.visible import quoted
from embedviz.ui import BOUND, Frame, literal, ready_picker, show_error, stop, text_within
from embedviz.ui.inputs.sentences import MAX_CHARACTERS

FIELD = N_("Text")
TEXTS = {
    N_("Rare word, number, Chinese"): "Sesquipedalian cat 猫 = 1234567",
    N_("The cat on the mat"): "the cat sat on the mat",
    N_("One word, many spellings"): "The end: the END, the end.\nTheend",
    N_("Code and numbers"): "def area(r):\n    return 3.14159 * r**2  # 1234567",
    N_("Emoji and Chinese"): "A cat 🐈 is 猫, and 👩\u200d💻 is one picture.",
    N_("A long rare word"): "antidisestablishmentarianism, honorificabilitudinitatibus",
}
_DEFAULT = next(iter(TEXTS.values()))


class Asked(NamedTuple):
    """The text, the tokenizers that cut it, at least one, and what stands around it."""

    text: str
    tokenizers: list[str]
    prefix_space: bool
    special_tokens: bool


def fields(frame: Frame, _settings: None) -> Asked:
    """A text, and those who cut it. Says what is missing, and shows nothing more without a tokenizer."""
    with frame.inputs:
        switches = st.container(horizontal=True, vertical_alignment="center")
        area, ready, named = st.columns([2.6, 1, 1])
    with area:
        text = text_field()
    with ready:
        text_picker(text)
    with named:
        model = model_field()
    with switches:
        chosen = tokenizers_field(model)
        prefix_space = prefix_space_field()
        special_tokens = special_tokens_field(chosen)
    with frame.messages:
        needs(text, chosen)
    if not chosen:
        stop()
    return Asked(text, chosen, prefix_space, special_tokens)


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
    names = st.pills(
        _("Tokenizers"),
        choices,
        selection_mode="multi",
        default=choices,
        key="tokenizers",
        label_visibility="collapsed",
        **BOUND,
    )
    return [name for name in choices if name in names]


def _join(model: str, choices: Sequence[str]) -> None:
    """Choose the tokenizer of a model that was just named, and forget that of the model before."""
    before = st.session_state.get("model_named", "")
    st.session_state["model_named"] = model
    if before == model or "tokenizers" not in st.session_state:
        return
    kept = [name for name in st.session_state["tokenizers"] if name in choices and name != model]
    st.session_state["tokenizers"] = [*kept, *([model] if model else [])]


def prefix_space_field() -> bool:
    """Whether to put a space before the text."""
    help_ = _(
        "Put a space before the first word, so that a byte-pair tokenizer gives it the ID it has inside a sentence."
    )
    return st.toggle(_("Add prefix space"), key="leading_space", help=help_, **BOUND)


def needs(text: str, names: Sequence[str]) -> None:
    """Say what is missing, if anything is."""
    if not text:
        st.info(_("The text is empty: type a few words, or pick an example text."), icon=":material/edit:")
    if not names:
        st.info(_("Choose at least one tokenizer."), icon=":material/segment:")


_MOST_SHOWN = 60  # characters of what is no name


def model_field() -> str:
    """Let the visitor name a model. Return the name if its tokenizer can be used; else a message says why not."""
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
