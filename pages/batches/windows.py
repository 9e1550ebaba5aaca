"""The windows of one batch of training data, drawn over the text that they are cut from."""

import numpy as np

from embedviz.text.visible import visible
from embedviz.ui.components.shared.component import component
from embedviz.vectors.batches import Batch, Loader

MAX_SHOWN = 1200  # tokens of the text; windows that begin beyond are in the tables alone

_WINDOWS = component(__name__, ideas=".flow, .pair")


def windows(loader: Loader, batch: Batch, *, key: str) -> None:
    """Show the text around the batch's windows, its inputs and targets. Pointing at a window lights all of its up."""
    starts = batch.windows * loader.stride
    first = int(starts.min())
    near = loader.tokens.ids[first : first + MAX_SHOWN]
    payload = {
        "first": first,
        "max_length": loader.max_length,
        "starts": starts.tolist(),
        "tokens": [{"text": visible(text)} for text in loader.tokens.texts(near)],
        "inputs": batch.inputs.tolist(),
        "targets": batch.targets.tolist(),
        "names": _names(loader, batch.inputs),
        "target_names": _names(loader, batch.targets),
    }
    _WINDOWS(payload, key=key)


def _names(loader: Loader, ids: np.ndarray) -> list[list[str]]:
    return [[visible(text) for text in loader.tokens.texts(row)] for row in ids]
