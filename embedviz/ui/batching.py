"""The parts of the page "Batches"."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import samples
from embedviz.batches import MAX_BATCH_SIZE, MAX_WINDOW, Batch, Loader
from embedviz.broadcasting import Embeddings, embed_batch, positions_from_edge, positions_from_mask, sum_shape
from embedviz.errors import EmbedvizError
from embedviz.export import pytorch_batches
from embedviz.figures.heatmaps import batch_heatmaps
from embedviz.figures.matrices import Matrix, matrices
from embedviz.spec import MAX_SEED, TOKENIZERS, Spec
from embedviz.textfile import MAX_BYTES, read_text
from embedviz.tokens import TokenIds, Tokens, encode, tokenize
from embedviz.ui import turns
from embedviz.ui.cards import Card, cards
from embedviz.ui.chips import chips
from embedviz.ui.fields import whole_number
from embedviz.ui.literal import literal
from embedviz.ui.plot import show
from embedviz.ui.windows import windows

MAX_CHARACTERS = 5000
_PASTE, _UPLOAD = "Paste my own", "Upload a file"
_VIEWS = ("Windows", "Shapes", "Padding")
_LARGE = 100_000  # characters from which on others should not wait for the tokenizer
_MAX_ROWS = 64  # of a batch, drawn as vectors
_MAX_PADDED = 200  # characters of a padded sentence
_HEIGHT = "clamp(18rem, calc(100vh - 25rem), 44rem)"


def view() -> str:
    """Which of the three pictures."""
    return st.segmented_control(
        "Show", _VIEWS, default=_VIEWS[0], required=True, key="part", label_visibility="collapsed", bind="query-params"
    )


def loader(columns: Sequence[DeltaGenerator], below: DeltaGenerator) -> Loader:
    """The text, its tokenizer and the loader's settings; after a mistake a message, and what was there."""
    source, cut, size, length, step, more = columns
    names = [sample.name for sample in samples.texts()]
    with source:
        chosen = st.selectbox("Text", [*names, _PASTE, _UPLOAD], key="sample", bind="query-params")
    with cut:
        tokenizer = st.selectbox(
            "Tokenizer", TOKENIZERS, TOKENIZERS.index("gpt2"), key="tokenizer", bind="query-params"
        )
    settings: dict = {}
    for column, (name, high, default) in zip(
        (size, length, step),
        (("batch_size", MAX_BATCH_SIZE, 8), ("max_length", MAX_WINDOW, 4), ("stride", MAX_WINDOW, 4)),
        strict=True,
    ):
        with column:
            settings[name] = whole_number(name, 0, high, default, key=name)
    with more, st.popover("More", width="stretch"):
        settings["shuffle"] = st.toggle("shuffle", key="shuffle", bind="query-params")
        settings["drop_last"] = st.toggle("drop_last", True, key="drop_last", bind="query-params")
        settings["seed"] = whole_number("Seed", 0, MAX_SEED, 123, key="seed")
    with below:
        return _loader(_text(chosen), tokenizer, settings)


def _text(chosen: str) -> str | EmbedvizError:
    if chosen == _PASTE:
        return st.text_area("Your text", key="pasted", height=90, max_chars=MAX_CHARACTERS, bind="query-params")
    if chosen == _UPLOAD:
        file = st.file_uploader(f"A .txt file, at most {MAX_BYTES / 1e6:g} MB", type="txt")
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


def batch(found: Loader, column: DeltaGenerator) -> Batch | None:
    """The batch that the reader chose; a message and None if the settings leave no batch."""
    last = max(found.n_batches - 1, 0)
    with column:
        chosen = whole_number("Batch", 0, last, 0, key="batch")
    try:
        return found.batch(min(chosen, last))
    except EmbedvizError as error:
        st.warning(literal(str(error)), icon=":material/info:")
        return None


def window_view(found: Loader, chosen: Batch) -> None:
    """The windows over the text, and the batch's inputs and targets."""
    cards(about_windows(found), key="about_windows")
    cell = windows(found, chosen, key="windows")
    if cell is None:
        st.caption("Click a cell to see its three vectors.")
        return
    row, step = cell
    alone = Batch(chosen.inputs[row : row + 1], chosen.targets[row : row + 1], chosen.windows[row : row + 1])
    _three_vectors(_embed(alone, found), 0, step, f"{row}·{step}")


def about_windows(found: Loader) -> list[Card]:
    """How many there are, and how they lie."""
    left = found.n_windows - found.n_batches * found.batch_size
    dropped = f" {left} left over and dropped." if left > 0 else ""
    return [
        Card(
            f"{_count(found.n_windows, 'window', 's')}, {_count(found.n_batches, 'batch', 'es')}",
            f"{len(found.tokens):,} tokens, a window every {found.stride}, "
            f"{found.batch_size} windows a batch.{dropped}",
        ),
        _overlap(found),
        Card("Targets: one token later", "The model is to name what comes next."),
    ]


def _count(n: int, noun: str, ending: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else ending)


def _overlap(found: Loader) -> Card:
    step, length = found.stride, found.max_length
    if step < length:
        return Card(f"Overlap of {length - step}", f"stride {step} < max_length {length}: neighbours share tokens.")
    if step > length:
        text = f"stride {step} > max_length {length}: {found.n_skipped:,} tokens between windows are no input."
        return Card(f"Gaps of {step - length}", text, "different")
    return Card("No overlap, no gap", f"stride {step} = max_length {length}: no token is input twice.", "same")


def shape_view(found: Loader, chosen: Batch) -> None:
    """The batch through the layers: what is used again along which axis, and one cell's three vectors."""
    drawn = _drawn(chosen)
    embeddings = _embed(drawn, found)
    n_windows, length, n_dims = embeddings.token_embeddings.shape
    cards(about_shapes((*chosen.inputs.shape, n_dims)), key="about_shapes")
    texts = [found.tokens.texts(row) for row in drawn.inputs]
    figure = batch_heatmaps(
        embeddings.token_embeddings, embeddings.positional_embeddings, embeddings.input_embeddings, texts
    )
    alt = (
        f"{n_windows} windows of {length} tokens: token plus positional equals input vectors; the same "
        f"{length} positional vectors are used for each window."
    )
    show(figure, key="batch_sum", alt=alt, height=_HEIGHT)
    _cell(embeddings)


def _drawn(chosen: Batch) -> Batch:
    """As many cells of the batch as a picture has room for."""
    n_windows, length = chosen.inputs.shape
    if n_windows * length <= _MAX_ROWS:
        return chosen
    st.info(f"{n_windows * length:,} cells are too many to draw; the first are shown.", icon=":material/content_cut:")
    length = min(length, _MAX_ROWS)
    n_windows = max(1, _MAX_ROWS // length)
    return Batch(chosen.inputs[:n_windows, :length], chosen.targets[:n_windows, :length], chosen.windows[:n_windows])


def about_shapes(shape: tuple[int, int, int]) -> list[Card]:
    """The shapes step by step, and PyTorch's answer where the axes are wrong."""
    n_windows, length, n_dims = shape
    total = " × ".join(map(str, sum_shape(shape, (length, n_dims))))
    wrong = sum_shape(shape, (n_windows, n_dims))
    if isinstance(wrong, str):
        mistake = Card(f"+ {n_windows} × {n_dims} is an error", f"PyTorch says: {wrong}", "different")
    else:
        text = "No error, though it may be one vector a window instead of one a position."
        mistake = Card(f"+ {n_windows} × {n_dims} goes through", text, "different")
    return [
        Card(
            f"{n_windows} × {length} → {n_windows} × {length} × {n_dims}",
            "Each ID becomes a vector: the batch of IDs gets one more axis.",
        ),
        Card(
            f"+ {length} × {n_dims} → {total}",
            f"The same {length} positional vectors for each of the {n_windows} windows: point at one.",
        ),
        mistake,
    ]


def _cell(embeddings: Embeddings) -> None:
    n_windows, length, _ = embeddings.token_embeddings.shape
    left, right, picture = st.columns([1, 1, 5], vertical_alignment="center")
    with left:
        row = min(whole_number("Window", 0, MAX_BATCH_SIZE, 0, key="cell_window"), n_windows - 1)
    with right:
        step = min(whole_number("Position", 0, MAX_WINDOW, 0, key="cell_position"), length - 1)
    with picture:
        _three_vectors(embeddings, row, step, f"{row}·{step}")


def _embed(chosen: Batch, found: Loader) -> Embeddings:
    with turns.pause():
        return embed_batch(chosen, found.tokens.vocab_size, Spec())


def _three_vectors(embeddings: Embeddings, row: int, step: int, name: str) -> None:
    """Token, position and sum of one cell, with the first of their numbers."""
    parts = (
        ("token, first 4 numbers", embeddings.token_embeddings[row, step], ""),
        ("positional", embeddings.positional_embeddings[step], "+"),
        ("input", embeddings.input_embeddings[row, step], "="),
    )
    panels = [Matrix(values[None, :4], title, [name], [step], sign) for title, values, sign in parts]
    show(matrices(panels), key="cell", alt=f"Cell {name}: three vectors.", height="7rem")


def padding_view() -> None:
    """Left padding shifts positions, and the fix."""
    fields = zip(
        st.columns(2), (("Short", "the cat", "short"), ("Long", "the cat sat on the mat", "long")), strict=True
    )
    found = []
    for column, (label, default, key) in fields:
        with column:
            text = st.text_input(label, default, key=key, live="250ms", autocomplete="off", bind="query-params")
        found.append(tokenize(text[:_MAX_PADDED]))
    width = max(map(len, found))
    if not width:
        st.info("Type a few words.", icon=":material/edit:")
        return
    mask = np.array([[0] * (width - len(each)) + [1] * len(each) for each in found])
    cards(about_padding(mask), key="about_padding")
    _padded(st.columns(2), found, mask)


def _padded(columns: Sequence[DeltaGenerator], found: list[Tokens], mask: np.ndarray) -> None:
    order = [id_ for each in found for id_ in each.ids]
    ways = (
        ("edge", "Counted from the edge", positions_from_edge),
        ("real", "Counted from the first real token", positions_from_mask),
    )
    for column, (name, title, count) in zip(columns, ways, strict=True):
        with column:
            st.subheader(title, anchor=False)
            for n, (each, places) in enumerate(zip(found, count(mask), strict=True)):
                chips(
                    each,
                    key=f"{name}_{n}",
                    label=f"{title}: {('short', 'long')[n]}",
                    colour_order=order,
                    places=places,
                    padding=mask.shape[1] - len(each),
                )


def about_padding(mask: np.ndarray) -> list[Card]:
    """What the pads do to the positions of the tokens behind them."""
    most = int((mask.shape[1] - mask.sum(axis=1)).max())
    if not most:
        return [Card("No padding, no shift", "Both sentences have the same number of tokens.", "same")]
    return [
        Card(
            f"{most} {'pad' if most == 1 else 'pads'} on the left: each word behind is {most} too high",
            "The first word would get the positional vector of another place than in training.",
            "different",
        ),
        Card(
            "The fix: count real tokens only",
            "position_ids = attention_mask.cumsum(-1) - 1. Pads are masked out, so their own positions do not matter.",
            "same",
        ),
    ]


def code(found: Loader) -> None:
    """The PyTorch of what is on screen."""
    with st.expander("Show the PyTorch", icon=":material/code:"):
        st.caption("Save the text as text.txt beside it.")
        st.code(pytorch_batches(found), height=380)
