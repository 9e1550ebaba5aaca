"""Windows of a text that we ship, cut by a model's tokenizer, by which a model itself is looked at."""

from collections.abc import Iterator

import numpy as np

from embedviz.layers import line
from embedviz.layers.line import Ran
from embedviz.models import hub_model
from embedviz.models.checkpoints import checkpoint
from embedviz.models.whole import Whole
from embedviz.text import samples
from embedviz.text.tokens import encode

LENGTH = 32  # tokens of a window
MOST = 14  # windows
SHIFT = 200  # positions by which all tokens are shifted, where the model has so many
_SEED = 123


def runs(found: Whole) -> Iterator[tuple[str, Ran]]:
    """What a model makes of W windows of T tokens, without special tokens, each run with its name.

    "text" as it is; "random": any tokens of the vocabulary; "shifted": all positions further on; "off": all at one
    position. A model with ALiBi takes no positions, so that it has only the first two. T is 32, or half of the
    positions of the model's table if there are fewer than 64.
    """
    layout = hub_model(found.name).layout()
    ends = layout.context_length if layout.position else LENGTH + SHIFT
    ids = windows(found.name, min(LENGTH, ends // 2))
    positions = np.arange(ids.shape[1])
    yield "text", line.run(found, ids)
    yield "random", line.run(found, np.random.default_rng(_SEED).integers(layout.vocab_size, size=ids.shape))
    if layout.scheme != "alibi":
        yield "shifted", line.run(found, ids, positions + min(SHIFT, ends - len(positions)))
        yield "off", line.run(found, ids, 0 * positions)


def windows(source: str, length: int = LENGTH) -> np.ndarray:
    """The IDs of the text's windows, one after the other: whole numbers (W, length), with 14 windows at most."""
    ids = encode(samples.texts()[0].text, checkpoint(source).tokenizer).ids
    n = min(MOST, len(ids) // length)
    return ids[: n * length].reshape(n, length)
