"""The controls of the view "Windows" of the page "Batches": the text, the loader and the batch."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.checks import MAX_SEED
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.text import samples
from embedviz.text.token_ids import TokenIds, encode
from embedviz.text.uploaded import MAX_BYTES, read_text
from embedviz.ui import (
    BOUND,
    OPTIONS,
    Frame,
    file_is_gone,
    label_of,
    literal,
    mistake_place,
    show_error,
    stop,
    text_within,
    turns,
    whole_number,
)
from embedviz.ui.inputs.controls import tokenizer_field
from embedviz.vectors.batches import MAX_BATCH_SIZE, MAX_WINDOW, Batch, Loader

MAX_CHARACTERS = 5000
_LARGE = 100_000  # characters from which on others should not wait for the tokenizer


class Order(NamedTuple):
    """In which order windows are taken, and whether the last ones go if they do not fill a batch."""

    shuffle: bool
    drop_last: bool
    seed: int


class TextBatch(NamedTuple):
    """A batch, and the loader of the text that it is from."""

    loader: Loader
    batch: Batch


def settings(frame: Frame) -> Order:
    """The order of the windows."""
    with frame.settings():
        shuffle = st.toggle("shuffle", key="shuffle", **BOUND)
        drop_last = st.toggle("drop_last", value=True, key="drop_last", **BOUND)
        return Order(shuffle, drop_last, whole_number(_("Seed"), 0, MAX_SEED, 123, key="seed", below=frame.messages))


def fields(frame: Frame, order: Order) -> TextBatch:
    """The text, how it is cut, and which batch is shown. If there is none, a message says why, and nothing follows."""
    source, cut, size, length, step, number = frame.inputs.columns([1.7, 1.3, 1, 1, 1, 1], vertical_alignment="bottom")
    below = frame.messages
    chosen = source.selectbox(_("Text"), list(OPTIONS["sample"]), key="sample", format_func=label_of("sample"), **BOUND)
    with cut:
        tokenizer = tokenizer_field()
    batch_size = whole_number("batch_size", 1, MAX_BATCH_SIZE, 8, key="batch_size", below=below, place=size)
    max_length = whole_number("max_length", 1, MAX_WINDOW, 4, key="max_length", below=below, place=length)
    stride = whole_number("stride", 1, MAX_WINDOW, 4, key="stride", below=below, place=step)
    with below:
        loader = _loader(chosen, tokenizer, (batch_size, max_length, stride), order)
    return TextBatch(loader, _batch(loader, number, below))


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


def _loader(chosen: str, tokenizer: str, sizes: tuple[int, int, int], order: Order) -> Loader:
    """The loader, or the last good one after a mistake. sizes: batch_size, max_length and stride."""
    try:
        loader = Loader(_encoded(_text(chosen), tokenizer), *sizes, **order._asdict())
    except EmbedvizError as error:
        with mistake_place("loader"):
            show_error(error)
        kept = st.session_state.get("loader_kept")
        return kept or Loader(_encoded(samples.texts()[0].text, "gpt2"))
    st.session_state["loader_kept"] = loader
    return loader


def _encoded(text: str, tokenizer: str) -> TokenIds:
    """Return the IDs of the text, and keep them for the next run. One text is kept for each visitor."""
    key = (hash(text), tokenizer)
    if st.session_state.get("encoded_key") != key:
        with turns.release_lock(unless=len(text) <= _LARGE):
            ids = encode(text, tokenizer)
        st.session_state.update({"encoded_key": key, "encoded": ids})
    return st.session_state["encoded"]


def _batch(loader: Loader, place: DeltaGenerator, below: DeltaGenerator) -> Batch:
    last = max(loader.n_batches - 1, 0)
    number = whole_number(_("Batch"), 0, last, 0, key="batch", below=below, place=place)
    try:
        return loader.batch(number)
    except EmbedvizError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        stop()
