"""The tokenizer of a model beside the others: its name, the special tokens that it adds, and what it cannot cut."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, joined
from embedviz.models import is_name
from embedviz.text import model_tokens
from embedviz.text.segmentation import Segmentation, segment
from embedviz.text.visible import quoted
from embedviz.ui import BOUND, literal, show_error

_MOST_SHOWN = 60  # characters of what is no name


def model_field() -> str:
    """Let the visitor name a model. Return the name if its tokenizer can be used; else a message says why not."""
    name = st.text_input(
        _("A model's tokenizer"),
        key="model_tokenizer",
        placeholder=_("owner/name"),
        autocomplete="off",
        help=_(
            "The name of a model on the Hugging Face Hub, such as google-bert/bert-base-uncased. Its file "
            "tokenizer.json is all that is read."
        ),
        **BOUND,
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
    added = [token for model in filter(None, map(model_tokens.of, chosen)) for token in model.adds]
    if not added:
        return True
    tokens = joined([quoted(token) for token in added])
    return st.toggle(
        _("Add special tokens"),
        True,
        key="special_tokens",
        help=literal(_("Put around the text what the model's own tokenizer puts there: {tokens}.", tokens=tokens)),
        **BOUND,
    )


def cut(
    text: str, chosen: Sequence[str], prefix_space: bool, special_tokens: bool, *, below: DeltaGenerator
) -> Segmentation | None:
    """Cut the text by all that are chosen. If a model's cannot, a message in `below` says so, and the others do."""
    if not chosen:
        return None
    try:
        return segment(text, chosen, prefix_space, special_tokens=special_tokens)
    except EmbedvizError as error:
        with below:
            show_error(error)
    return cut(text, [name for name in chosen if not is_name(name)], prefix_space, special_tokens, below=below)
