"""The token and positional tables of GPT-2 and similar models. Only the rows that the sentences need are read.

Every function takes a name of `checkpoints.CHECKPOINTS` and raises Unavailable if the rows cannot be had now.
"""

import re
from collections.abc import Sequence

import numpy as np

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.models.checkpoints import CHECKPOINTS, CONTEXT_LENGTH
from embedviz.models.memory import Memory
from embedviz.models.reader import Progress, Reader

POSITIONS_AT_ONCE = 16  # read ahead, since a sentence grows while a visitor types

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_MEMORY = Memory()
_READERS = {name: Reader(checkpoint, _MEMORY) for name, checkpoint in CHECKPOINTS.items()}


def is_name(name: str) -> bool:
    """Whether it can be the name of a model on the Hub: its owner, a slash, and its own name."""
    return _NAME.fullmatch(name) is not None


def tokenizer_json(name: str) -> bytes:
    """The file tokenizer.json of a model. Raises Unavailable if it cannot be had now."""
    raise Unavailable(_("The tokenizer of {name} cannot be had now.", name=name))


def token_rows(name: str, ids: Sequence[int]) -> np.ndarray:
    """Rows of the token table `wte` in the order of the IDs, float32 of shape (T, D)."""
    return _READERS[name].rows("wte", ids)


def position_rows(name: str, n_positions: int) -> np.ndarray:
    """The first rows of the positional table `wpe`, float32 of shape (n_positions, D)."""
    return _READERS[name].rows("wpe", _positions(n_positions))[:n_positions]


def is_near(name: str, ids: Sequence[int], n_positions: int) -> bool:
    """True if both functions answer at once, even if they answer with a failure."""
    reader = _READERS[name]
    return reader.is_near("wte", ids) and reader.is_near("wpe", _positions(n_positions))


def token_table(name: str) -> np.ndarray:
    """The whole token table, float32 of shape (V, D), once `download` has brought it."""
    return _READERS[name].whole()


def download(name: str, progress: Progress = lambda done, total: None) -> None:
    """Download the whole token table to the disk, or the part of it that is missing.

    progress: called with the bytes that are there and the bytes of the table. An error that it raises stops the
    download, and the next download goes on from there. Like `retry`, this tries the Hub again after a failure.
    """
    _READERS[name].retry()
    _READERS[name].download(progress)


def retry(name: str) -> None:
    """Try the Hub again at the next call, though it failed a moment ago; waits for a second to have passed since."""
    _READERS[name].retry()


def _positions(n: int) -> range:
    return range(min(-(-n // POSITIONS_AT_ONCE) * POSITIONS_AT_ONCE, CONTEXT_LENGTH))
