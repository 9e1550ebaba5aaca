"""The windows over the text, and the batch's inputs and targets."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, listed, ngettext
from embedviz.vectors.batches import Batch, Loader
from pages.batches.vectors import embedded, three_vectors
from pages.batches.windows import windows


def sliding(found: Loader, chosen: Batch) -> None:
    """The windows over the text, and the batch's inputs and targets."""
    ui.cards(about_windows(found), key="about_windows")
    with ui.slide("windows", alone=True):
        cell = windows(found, chosen, key="windows")
    if cell is None:
        st.caption(_("Click a cell to see its three vectors."))
        return
    row, step = cell
    alone = Batch(chosen.inputs[row : row + 1], chosen.targets[row : row + 1], chosen.windows[row : row + 1])
    three_vectors(embedded(alone, found), 0, step, f"{row}·{step}")


def about_windows(found: Loader) -> list[ui.Card]:
    """How many there are, and how they lie."""
    left = found.n_windows - found.n_batches * found.batch_size
    dropped = (
        " "
        + ngettext(
            "The last one does not fill a batch and is dropped.",
            "The last {n} do not fill a batch and are dropped.",
            left,
        )
        if left > 0
        else ""
    )
    return [
        ui.Card(
            listed(
                (
                    ngettext("{n:,} window", "{n:,} windows", found.n_windows),
                    ngettext("{n:,} batch", "{n:,} batches", found.n_batches),
                )
            ),
            _(
                "{n_tokens:,} tokens, a new window every {stride}, {batch_size} windows per batch.{dropped}",
                n_tokens=len(found.tokens),
                stride=found.stride,
                batch_size=found.batch_size,
                dropped=dropped,
            ),
        ),
        _overlap(found),
        ui.Card(_("Targets: one token later"), _("At every position the model must predict the next token.")),
    ]


def _overlap(found: Loader) -> ui.Card:
    step, length = found.stride, found.max_length
    if step < length:
        return ui.Card(
            _("Overlap of {n}", n=length - step),
            _("stride {step} < max_length {length}: neighbours share tokens.", step=step, length=length),
        )
    if step > length:
        text = _(
            "stride {step} > max_length {length}: {n:,} tokens fall between windows and are never used as input.",
            step=step,
            length=length,
            n=found.n_skipped,
        )
        return ui.Card(_("Gaps of {n}", n=step - length), text, "different")
    return ui.Card(
        _("No overlap, no gap"),
        _("stride {step} = max_length {length}: no token is input twice.", step=step, length=length),
        "same",
    )
