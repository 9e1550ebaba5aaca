"""The controls that the two views of "Batches" over a long text share: the text, the loader and the batch."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.checks import MAX_SEED
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.programs.inputs import pytorch_batches
from embedviz.text import samples
from embedviz.text.token_ids import TokenIds, encode
from embedviz.text.uploaded import MAX_BYTES, read_text
from embedviz.ui import (
    BOUND,
    OPTIONS,
    Frame,
    file_is_gone,
    label_of,
    last_good,
    literal,
    program,
    show_error,
    text_within,
    turns,
    whole_number,
)
from embedviz.ui.inputs.controls import tokenizer_field
from embedviz.vectors.batches import MAX_BATCH_SIZE, MAX_WINDOW, Batch, Loader

MAX_CHARACTERS = 5000
_LARGE = 100_000  # characters from which on others should not wait for the tokenizer


def loaded(draw: Callable[[Loader, Batch], None], page: Frame) -> None:
    """Show a batch of the text, which `draw` draws, and the program that makes it."""
    loader, column = loader_settings(page)
    if batch := batch_field(loader, column, page.messages):
        draw(loader, batch)
        program(
            pytorch_batches(loader),
            _("Windows over a text"),
            note=_("Save the text as text.txt beside it; the notebook has it."),
            height=380,
            alone=lambda: pytorch_batches(loader, loader.tokens.text()),  # for readers who have no file of the text
        )


def loader_settings(page: Frame) -> tuple[Loader, DeltaGenerator]:
    """The loader, the last good one after a mistake, and the place for the field of the batch, which depends on it."""
    source, cut, size, length, step, batch = page.inputs.columns([1.7, 1.3, 1, 1, 1, 1], vertical_alignment="bottom")
    below = page.messages
    chosen = source.selectbox(_("Text"), list(OPTIONS["sample"]), key="sample", format_func=label_of("sample"), **BOUND)
    with cut:
        tokenizer = tokenizer_field()
    settings: dict = {}
    sizes = (
        (size, "batch_size", MAX_BATCH_SIZE, 8),
        (length, "max_length", MAX_WINDOW, 4),
        (step, "stride", MAX_WINDOW, 4),
    )
    for column, name, high, default in sizes:
        settings[name] = whole_number(name, 1, high, default, key=name, below=below, place=column)
    with page.settings():
        settings["shuffle"] = st.toggle("shuffle", key="shuffle", **BOUND)
        settings["drop_last"] = st.toggle("drop_last", True, key="drop_last", **BOUND)
        settings["seed"] = whole_number(_("Seed"), 0, MAX_SEED, 123, key="seed", below=below)
    with below:
        return _loader(chosen, tokenizer, settings), batch


def _text(chosen: str) -> str:
    if chosen == "own":
        return text_within(st.text_area, _("Your text"), "", MAX_CHARACTERS, key="pasted", height=90)
    if chosen == "file":
        label = _("A .txt file, at most {megabytes:g} MB", megabytes=MAX_BYTES / 1e6)
        file = st.file_uploader(label, type="txt", key="upload", max_upload_size=configured().upload_mb)
        if not file and st.session_state["upload"] is not None:  # the browser still names a file that it had sent
            raise file_is_gone()
        return read_text(file.getvalue()) if file else samples.texts()[0].text
    return next(sample.text for sample in samples.texts() if sample.name == OPTIONS["sample"][chosen])


def _loader(chosen: str, tokenizer: str, settings: dict) -> Loader:
    try:
        found = Loader(_encoded(_text(chosen), tokenizer), **settings)
    except EmbedvizError as error:
        with last_good("loader"):
            show_error(error)
        kept = st.session_state.get("loader_kept")
        return kept or Loader(_encoded(samples.texts()[0].text, "gpt2"))
    st.session_state["loader_kept"] = found
    return found


def _encoded(text: str, tokenizer: str) -> TokenIds:
    """Return the IDs of the text, and keep them for the next run. One text is kept for each visitor."""
    key = (hash(text), tokenizer)
    if st.session_state.get("encoded_key") != key:
        with turns.pause(unless=len(text) <= _LARGE):
            ids = encode(text, tokenizer)
        st.session_state.update({"encoded_key": key, "encoded": ids})
    return st.session_state["encoded"]


def batch_field(loader: Loader, column: DeltaGenerator, below: DeltaGenerator) -> Batch | None:
    """Return the batch that the reader chose. If the settings leave no batch, show a message and return None."""
    last = max(loader.n_batches - 1, 0)
    chosen = whole_number(_("Batch"), 0, last, 0, key="batch", below=below, place=column)
    try:
        return loader.batch(chosen)
    except EmbedvizError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return None
