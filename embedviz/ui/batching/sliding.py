"""The windows over the text, and the batch's inputs and targets."""

import streamlit as st

from embedviz.batches import Batch, Loader
from embedviz.ui import presenting
from embedviz.ui.batching.vectors import embedded, three_vectors
from embedviz.ui.cards import Card, cards
from embedviz.ui.windows import windows
from embedviz.wording import counted


def window_view(found: Loader, chosen: Batch) -> None:
    """The windows over the text, and the batch's inputs and targets."""
    cards(about_windows(found), key="about_windows")
    cell = windows(found, chosen, key="windows")
    if presenting.is_on():
        return
    if cell is None:
        st.caption("Click a cell to see its three vectors.")
        return
    row, step = cell
    alone = Batch(chosen.inputs[row : row + 1], chosen.targets[row : row + 1], chosen.windows[row : row + 1])
    three_vectors(embedded(alone, found), 0, step, f"{row}·{step}")


def about_windows(found: Loader) -> list[Card]:
    """How many there are, and how they lie."""
    left = found.n_windows - found.n_batches * found.batch_size
    dropped = f" {left} left over and dropped." if left > 0 else ""
    return [
        Card(
            f"{counted(found.n_windows, 'window')}, {counted(found.n_batches, 'batch', 'batches')}",
            f"{len(found.tokens):,} tokens, a window every {found.stride}, "
            f"{found.batch_size} windows a batch.{dropped}",
        ),
        _overlap(found),
        Card("Targets: one token later", "The model is to name what comes next."),
    ]


def _overlap(found: Loader) -> Card:
    step, length = found.stride, found.max_length
    if step < length:
        return Card(f"Overlap of {length - step}", f"stride {step} < max_length {length}: neighbours share tokens.")
    if step > length:
        text = f"stride {step} > max_length {length}: {found.n_skipped:,} tokens between windows are no input."
        return Card(f"Gaps of {step - length}", text, "different")
    return Card("No overlap, no gap", f"stride {step} = max_length {length}: no token is input twice.", "same")
