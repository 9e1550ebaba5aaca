"""The view "Windows" of the page "Batches": a batch of training data, drawn over the text that it is cut from."""

from functools import partial

import numpy as np

from embedviz import ui
from embedviz.base.i18n import N_, _, listed, ngettext, paragraph
from embedviz.figures.theme import token_marks
from embedviz.programs.inputs import pytorch_batches
from embedviz.text.visible import visible
from embedviz.ui import Guide, Picture, Program, View, component
from embedviz.vectors.batches import Batch, Loader
from embedviz.vectors.spec import Spec
from pages.batches.settings import TextBatch, fields, settings

MAX_SHOWN = 1200  # tokens of the text; windows that begin beyond are in the tables alone

_WINDOWS = component(__name__, ideas=".flow, .pair")


def windows(loader: Loader, batch: Batch, *, key: str) -> None:
    """Show the text around the batch's windows, its inputs and targets. Pointing at a window lights all of its up."""
    starts = batch.windows * loader.stride
    first = int(starts.min())
    both = np.stack([batch.inputs, batch.targets], axis=1).ravel().tolist()
    near = loader.tokens.ids[first : first + MAX_SHOWN]
    payload = {
        "first": first,
        "max_length": loader.max_length,
        "starts": starts.tolist(),
        "tokens": [{"text": visible(text)} for text in loader.tokens.texts(near)],
        "inputs": batch.inputs.tolist(),
        "targets": batch.targets.tolist(),
        "colours": {str(id_): colour for id_, (colour, _again) in token_marks(both).items()},
        "names": _names(loader, batch.inputs),
        "target_names": _names(loader, batch.targets),
    }
    _WINDOWS(payload, key=key)


def _names(loader: Loader, ids: np.ndarray) -> list[list[str]]:
    return [[visible(text) for text in loader.tokens.texts(row)] for row in ids]


def claim(batch: Batch) -> ui.Card:
    """What the targets are."""
    is_next = bool((batch.inputs[:, 1:] == batch.targets[:, :-1]).all())
    title = _("The targets of a window are its inputs, one token later") if is_next else _("Inputs and their targets")
    return ui.Card(title, "")


def about_windows(loader: Loader, shape: tuple[int, int]) -> list[ui.Card]:
    """How many there are, how they lie, what they ask for, and what the layers make of a batch of them."""
    left = loader.n_windows - loader.n_batches * loader.batch_size
    dropped = ngettext(
        "The last one does not fill a batch and is dropped.", "The last {n} do not fill a batch and are dropped.", left
    )
    windows = ngettext("{n:,} window", "{n:,} windows", loader.n_windows)
    batches = ngettext("{n:,} batch", "{n:,} batches", loader.n_batches)
    sizes = {"n_tokens": len(loader.tokens), "stride": loader.stride, "batch_size": loader.batch_size}
    text = _("{n_tokens:,} tokens, a new window every {stride}, {batch_size} windows per batch.", **sizes)
    return [
        ui.Card(listed((windows, batches)), paragraph([text, dropped if left > 0 else ""])),
        _overlap(loader),
        _shapes(*shape, Spec().output_dim),
    ]


def _shapes(n_windows: int, length: int, n_dims: int) -> ui.Card:
    text = _(
        "Each ID becomes a vector of {n_dims} numbers, and each window gets the same {length} positional vectors.",
        length=length,
        n_dims=n_dims,
    )
    return ui.Card(f"{n_windows} × {length} → {n_windows} × {length} × {n_dims}", text)


def _overlap(loader: Loader) -> ui.Card:
    step, length = loader.stride, loader.max_length
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
            n=loader.n_skipped,
        )
        return ui.Card(_("Gaps of {n}", n=step - length), text, "different")
    return ui.Card(
        _("No overlap, no gap"),
        _("stride {step} = max_length {length}: no token is input twice.", step=step, length=length),
    )


def program(result: TextBatch) -> Program:
    """The loader in PyTorch."""
    loader = result.loader
    return Program(
        pytorch_batches(loader),
        _("Windows over a text"),
        note=_("Save the text as text.txt beside it; the notebook has it."),
        alone=lambda: pytorch_batches(loader, loader.tokens.text()),  # for readers who have no file of the text
    )


WINDOWS = View(
    page="batches",
    name="windows",
    guide=Guide(
        N_("Each numbered stretch of the text is a window. Its row of targets is its row of inputs, one token later."),
        N_("A model learns from many windows at once, and from each of them at every position: what comes next?"),
        "batch window stride target token id vector positional dimension",
    ),
    settings=settings,
    fields=fields,
    compute=lambda result: result,  # one field depends on how many batches there are
    claim=lambda result: [claim(result.batch)],
    findings=lambda result: about_windows(result.loader, result.batch.inputs.shape),
    pictures=lambda result: [Picture(partial(windows, *result, key="windows"))],
    program=program,
    examples=(
        {},
        *({"stride": stride, "sample": "own", "pasted": "the cat sat on the mat " * 3} for stride in ("1", "9")),
        {"batch_size": "64", "sample": "own", "pasted": "the cat sat on the mat"},
        {"batch_size": "x", "sample": "file"},
    ),
)  # fmt: skip
