"""The windows of one batch of training data, drawn over the text that they are cut from."""

import numpy as np

from embedviz.text.visible import visible
from embedviz.ui.components.shared.component import component
from embedviz.ui.components.shared.payload import pack
from embedviz.vectors.batches import Batch, Loader

MAX_SHOWN = 1200  # tokens of the text; windows that begin beyond are in the tables alone

_WINDOWS = component(__name__, ideas=".flow, .pair")


def windows(loader: Loader, batch: Batch, *, key: str) -> None:
    """Show the text around the batch's windows, and its inputs and targets.

    Inputs of neighbouring windows have two colours, tokens in several windows a third; pointing at a window
    lights its inputs up and underlines its targets, and a click on a cell keeps its light on.
    """
    starts = batch.windows * loader.stride
    first = int(starts.min())
    near = loader.tokens.ids[first : first + MAX_SHOWN]
    _WINDOWS(
        data=pack(
            {
                "first": first,
                "max_length": loader.max_length,
                "starts": starts.tolist(),
                "tokens": [{"text": visible(text)} for text in loader.tokens.texts(near)],
                "inputs": batch.inputs.tolist(),
                "targets": batch.targets.tolist(),
                "names": _names(loader, batch.inputs),
                "target_names": _names(loader, batch.targets),
            }
        ),
        key=key,
    )


def _names(loader: Loader, ids: np.ndarray) -> list[list[str]]:
    return [[visible(text) for text in loader.tokens.texts(row)] for row in ids]
