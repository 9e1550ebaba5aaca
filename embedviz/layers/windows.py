"""Windows of a text that we ship, which real models read so that their heads and positions are looked at."""

from collections.abc import Iterator

import numpy as np

from embedviz.layers import model_queue
from embedviz.layers.model_queue import BatchOutput
from embedviz.models import hub_model
from embedviz.models.checkpoints import checkpoint
from embedviz.models.full_weights import FullWeights
from embedviz.text import samples
from embedviz.text.token_ids import encode

LENGTH = 32  # tokens of a window
MOST = 14  # windows
SHIFT = 200  # positions by which all tokens are shifted, where the model has so many
_SEED = 123


def runs(whole: FullWeights) -> Iterator[tuple[str, BatchOutput]]:
    """What a model makes of W windows of T tokens, without special tokens, each run with its name.

    "text" as it is; "random": any tokens of the vocabulary; "shifted": all positions further on; "off": nothing is
    added for positions, and RoPE turns nothing. A model with ALiBi takes no positions, so that it has only the first
    two. T is 32, or half of the positions of the model's table if there are fewer than 64.
    """
    layout = hub_model(whole.name).layout()
    ends = (layout.context_length or 0) if layout.position else LENGTH + SHIFT
    length = min(LENGTH, ends // 2)
    ids = windows(text_ids(whole.name), length, length)[:MOST]
    positions = np.arange(ids.shape[1])
    yield "text", model_queue.run(whole, ids)
    yield "random", model_queue.run(whole, np.random.default_rng(_SEED).integers(layout.vocab_size, size=ids.shape))
    if layout.scheme != "alibi":
        yield "shifted", model_queue.run(whole, ids, positions + min(SHIFT, ends - len(positions)))
        yield "off", model_queue.run(whole, ids, scale=0.0)


def text_ids(source: str) -> np.ndarray:
    """The IDs of the whole text, without special tokens: whole numbers (N,)."""
    return encode(samples.texts()[0].text, checkpoint(source).tokenizer).ids


def windows(ids: np.ndarray, length: int, step: int) -> np.ndarray:
    """Windows of the IDs (N,), which begin at every `step`-th of them: whole numbers (W, length)."""
    return np.lib.stride_tricks.sliding_window_view(ids, length)[::step]
