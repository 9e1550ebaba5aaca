"""What the views of "Batches" share: which of them, the text, the loader, the batch."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import samples
from embedviz.batches import MAX_BATCH_SIZE, MAX_WINDOW, Batch, Loader
from embedviz.errors import EmbedvizError
from embedviz.export_batches import pytorch_batches
from embedviz.spec import MAX_SEED, TOKENIZERS
from embedviz.textfile import MAX_BYTES, read_text
from embedviz.texts import N_, _, translated
from embedviz.tokens import TokenIds, encode
from embedviz.ui import turns
from embedviz.ui.fields import text_within, view_of, whole_number
from embedviz.ui.literal import literal

MAX_CHARACTERS = 5000
_PASTE, _UPLOAD = N_("Paste my own"), N_("Upload a file")
_VIEWS = (N_("Windows"), N_("Shapes"), N_("Padding"))
_LARGE = 100_000  # characters from which on others should not wait for the tokenizer


def view() -> str:
    """Which of the three pictures."""
    return view_of(_("Show"), _VIEWS, key="part")


def loader(columns: Sequence[DeltaGenerator], below: DeltaGenerator) -> Loader:
    """The text, its tokenizer and the loader's settings; after a mistake a message, and what was there."""
    source, cut, size, length, step, more = columns
    names = [sample.name for sample in samples.texts()]
    with source:
        chosen = st.selectbox(
            _("Text"), [*names, _PASTE, _UPLOAD], key="sample", format_func=translated, bind="query-params"
        )
    with cut:
        tokenizer = st.selectbox(
            _("Tokenizer"), TOKENIZERS, TOKENIZERS.index("gpt2"), key="tokenizer", bind="query-params"
        )
    settings: dict = {}
    for column, (name, high, default) in zip(
        (size, length, step),
        (("batch_size", MAX_BATCH_SIZE, 8), ("max_length", MAX_WINDOW, 4), ("stride", MAX_WINDOW, 4)),
        strict=True,
    ):
        with column:
            settings[name] = whole_number(name, 1, high, default, key=name, below=below)
    with more, st.popover(_("More"), width="stretch", key="more"):
        settings["shuffle"] = st.toggle("shuffle", key="shuffle", bind="query-params")
        settings["drop_last"] = st.toggle("drop_last", True, key="drop_last", bind="query-params")
        settings["seed"] = whole_number(_("Seed"), 0, MAX_SEED, 123, key="seed", below=below)
    with below:
        return _loader(_text(chosen), tokenizer, settings)


def _text(chosen: str) -> str | EmbedvizError:
    if chosen == _PASTE:
        return text_within(st.text_area, _("Your text"), "", MAX_CHARACTERS, key="pasted", height=90)
    if chosen == _UPLOAD:
        file = st.file_uploader(
            _("A .txt file, at most {megabytes:g} MB", megabytes=MAX_BYTES / 1e6), type="txt", key="upload"
        )
        try:
            return read_text(file.getvalue()) if file else samples.texts()[0].text
        except EmbedvizError as error:
            return error
    return next(sample.text for sample in samples.texts() if sample.name == chosen)


def _loader(text: str | EmbedvizError, tokenizer: str, settings: dict) -> Loader:
    try:
        if isinstance(text, EmbedvizError):
            raise text
        found = Loader(_encoded(text, tokenizer), **settings)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        kept = st.session_state.get("loader_kept")
        return kept or Loader(_encoded(samples.texts()[0].text, "gpt2"))
    st.session_state["loader_kept"] = found
    return found


def _encoded(text: str, tokenizer: str) -> TokenIds:
    """The IDs of the text, kept for the next run: one text a visitor."""
    key = (hash(text), tokenizer)
    if st.session_state.get("encoded_key") != key:
        if len(text) > _LARGE:
            with turns.pause():
                ids = encode(text, tokenizer)
        else:
            ids = encode(text, tokenizer)
        st.session_state.update({"encoded_key": key, "encoded": ids})
    return st.session_state["encoded"]


def batch(found: Loader, column: DeltaGenerator, below: DeltaGenerator) -> Batch | None:
    """The batch that the reader chose; a message and None if the settings leave no batch."""
    last = max(found.n_batches - 1, 0)
    with column:
        chosen = whole_number(_("Batch"), 0, last, 0, key="batch", below=below)
    try:
        return found.batch(chosen)
    except EmbedvizError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return None


def with_text(loader: Loader) -> str:
    """The program with the text in it, for who has no file of it."""
    return pytorch_batches(loader, loader.tokens.text())
