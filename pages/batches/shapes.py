"""A batch through the layers, with shapes at every step."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.heatmaps import batch_heatmaps
from embedviz.ui.alt_text import extent
from embedviz.ui.fields import whole_number
from embedviz.vectors.batches import Batch, Embeddings, Loader, sum_shape
from pages.batches.vectors import embedded, three_vectors

_MAX_ROWS = 64  # of a batch, drawn as vectors
_HEIGHT = "clamp(16rem, calc(100vh - 28rem), 44rem)"


def shapes(loader: Loader, chosen: Batch) -> None:
    """Show the batch on its way through the layers: what is used again along which axis, and a cell's three vectors."""
    drawn = _drawn(chosen)
    embeddings = embedded(drawn, loader)
    n_windows, length, n_dims = embeddings.token_embeddings.shape
    ui.cards(about_shapes((*chosen.inputs.shape, n_dims)), key="about_shapes")
    texts = [loader.tokens.texts(row) for row in drawn.inputs]
    figure = batch_heatmaps(
        embeddings.token_embeddings, embeddings.positional_embeddings, embeddings.input_embeddings, texts
    )
    alt = _(
        "{n_windows} windows of {length} tokens: token vectors, {tokens}, plus positional vectors equal "
        "input vectors, {inputs}; the same {length} positional vectors, {positions}, are used for each "
        "window.",
        n_windows=n_windows,
        length=length,
        tokens=extent(embeddings.token_embeddings),
        inputs=extent(embeddings.input_embeddings),
        positions=extent(embeddings.positional_embeddings),
    )
    with ui.slide("batch"):
        ui.show(figure, key="batch_sum", alt=alt, height=_HEIGHT)
    _cell(embeddings)


def _drawn(chosen: Batch) -> Batch:
    """Return as many cells of the batch as a picture has room for."""
    n_windows, length = chosen.inputs.shape
    if n_windows * length <= _MAX_ROWS:
        return chosen
    st.info(
        _("{n_cells:,} cells are too many to draw; the first are shown.", n_cells=n_windows * length),
        icon=":material/content_cut:",
    )
    length = min(length, _MAX_ROWS)
    n_windows = max(1, _MAX_ROWS // length)
    return Batch(chosen.inputs[:n_windows, :length], chosen.targets[:n_windows, :length], chosen.windows[:n_windows])


def about_shapes(shape: tuple[int, int, int]) -> list[ui.Card]:
    """The shapes step by step, and PyTorch's answer where the axes are wrong."""
    n_windows, length, n_dims = shape
    total = " × ".join(map(str, sum_shape(shape, (length, n_dims))))
    wrong = sum_shape(shape, (n_windows, n_dims))
    if isinstance(wrong, str):
        mistake = ui.Card(
            _("+ {n_windows} × {n_dims} is an error", n_windows=n_windows, n_dims=n_dims),
            _("PyTorch says: {wrong}", wrong=wrong),
            "different",
        )
    else:
        text = _("No error, yet this may add one vector per window instead of one per position.")
        mistake = ui.Card(
            _("+ {n_windows} × {n_dims} goes through", n_windows=n_windows, n_dims=n_dims), text, "different"
        )
    return [
        ui.Card(
            f"{n_windows} × {length} → {n_windows} × {length} × {n_dims}",
            _("Each ID becomes a vector, so the batch gets a third dimension."),
        ),
        ui.Card(
            f"+ {length} × {n_dims} → {total}",
            _(
                "The same {length} positional vectors for each of the {n_windows} windows: point at one.",
                length=length,
                n_windows=n_windows,
            ),
        ),
        mistake,
    ]


def _cell(embeddings: Embeddings) -> None:
    n_windows, length, _n_dims = embeddings.token_embeddings.shape
    below = st.container()
    left, right, picture = st.columns([1, 1, 5], vertical_alignment="center")
    row = whole_number(_("Window"), 0, n_windows - 1, 0, key="cell_window", below=below, place=left)
    step = whole_number(_("Position"), 0, length - 1, 0, key="cell_position", below=below, place=right)
    with picture:
        three_vectors(embeddings, row, step, f"{row}·{step}")
