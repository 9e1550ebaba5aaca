"""The tables of real models, from the Hugging Face Hub or this machine. Only the rows that the sentences need are read.

Every function takes the name of a model (see checkpoints.py). It raises Unavailable if what it needs cannot be had now,
and EmbedvizError for a name that is none, or is not allowed here, or is of a model whose family is not known.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.models import families
from embedviz.models.checkpoints import checkpoint, is_name
from embedviz.models.families import Layout
from embedviz.models.here import here
from embedviz.models.local import TOKENIZER
from embedviz.models.memory import Memory
from embedviz.models.reader import NotDownloaded, Progress, Reader

__all__ = [
    "Layout",
    "NotDownloaded",
    "download",
    "first_layer",
    "here",
    "is_at_hand",
    "is_name",
    "is_near",
    "is_tokenizer_near",
    "layout",
    "position_biases",
    "position_rows",
    "retry",
    "segment",
    "size",
    "tensor",
    "title",
    "token_rows",
    "token_table",
    "tokenizer_json",
    "where",
]  # fmt: skip

POSITIONS_AT_ONCE = 16  # read ahead, since a sentence grows while a visitor types
_MEMORY = Memory()


@lru_cache(maxsize=64)
def _reader(name: str) -> Reader:
    return Reader(checkpoint(name), _MEMORY)


def title(name: str) -> str:
    """What the model is called."""
    return checkpoint(name).title


def is_at_hand(name: str) -> bool:
    """True if `layout` answers at once, even if it answers with a failure."""
    try:
        return _reader(name).is_at_hand()
    except EmbedvizError:
        return True


def layout(name: str) -> Layout:
    """Where the vectors that enter the model's first layer come from."""
    return _reader(name).layout()


def token_rows(name: str, ids: Sequence[int]) -> np.ndarray:
    """The token vectors of these IDs as positions are added to them, float32 of shape (T, D).

    They are rows of the token table. Some families multiply them by a number, and a few by a matrix.
    """
    found = layout(name)
    return _token_part(name, found, _reader(name).rows(found.token, ids))


def position_rows(name: str, n_positions: int) -> np.ndarray:
    """The rows of the positional table for the first positions, float32 of shape (n_positions, D).

    There are fewer rows if the table has fewer. Raises EmbedvizError if the model has no such table.
    """
    found = layout(name)
    if found.position is None:
        raise EmbedvizError(found.about(title(name)))
    return _reader(name).rows(found.position, _positions(found, n_positions))[:n_positions]


def position_biases(name: str) -> np.ndarray:
    """T5's learned biases, which its encoder adds to scores: float32 (buckets, H), a row for each bucket of distances.

    Raises EmbedvizError if the model has no such table.
    """
    found = layout(name)
    if found.bias is None:
        raise EmbedvizError(found.about(title(name)))
    return _tensor(name, found, found.bias)


def segment(name: str) -> np.ndarray | None:
    """The vector that is added to every token for being of the first segment, shape (D,); None in most families."""
    found = layout(name)
    return _tensor(name, found, found.segment)[0] if found.segment else None


def first_layer(name: str, sums: np.ndarray) -> np.ndarray:
    """What enters the first layer, float32 of shape (T, H): the sums (T, D), normed where the family does so."""
    found = layout(name)
    return families.after_sum(found, sums, _small(name, found))


def where(name: str, table: str) -> tuple[str, str]:
    """The file of the repository that holds a table of the layout, and the name of the table in this file.

    Until the model has been read, this is where most files have it.
    """
    return _reader(name).where(table)


def is_near(name: str, ids: Sequence[int], n_positions: int) -> bool:
    """True if `token_rows` and `position_rows` answer at once, even if they answer with a failure."""
    reader, found = _reader(name), layout(name)
    if not reader.is_near(found.token, ids):
        return False
    return found.position is None or reader.is_near(found.position, _positions(found, n_positions))


def token_table(name: str) -> np.ndarray:
    """All token vectors, as `token_rows` has them, float32 of shape (V, D), once `download` has brought it.

    Raises NotDownloaded before that.
    """
    found = layout(name)
    return _token_part(name, found, _reader(name).whole(found.token))


def size(name: str) -> int | None:
    """The bytes of the token table, if that is known without asking anybody."""
    return _reader(name).size()


def download(name: str, progress: Progress = lambda done, total: None) -> None:
    """Download the whole token table to the disk, or the part of it that is missing.

    progress: called with the bytes that are there and the bytes of the table. An error that it raises stops the
    download, and the next download goes on from there. Like `retry`, this tries the Hub again after a failure.
    """
    _reader(name).retry()
    _reader(name).download(progress)
    here.cache_clear()


def tokenizer_json(name: str) -> bytes:
    """The model's tokenizer.json, which the library `tokenizers` reads."""
    return _reader(name).file(TOKENIZER, configured().tokenizer_mib * 2**20)


def is_tokenizer_near(name: str) -> bool:
    """True if `tokenizer_json` answers at once, even if it answers with a failure."""
    return _reader(name).is_file_near(TOKENIZER)


def retry(name: str) -> None:
    """Try the Hub again at the next call, though it failed a moment ago; waits for a second to have passed since."""
    _reader(name).retry()


def _positions(found: Layout, n: int) -> range:
    n_read = min(-(-n // POSITIONS_AT_ONCE) * POSITIONS_AT_ONCE, found.context_length)
    return range(found.offset, found.offset + n_read)


def _token_part(name: str, found: Layout, rows: np.ndarray) -> np.ndarray:
    if found.factor == 1 and not found.projection:
        return rows
    return families.token_part(found, rows, _small(name, found), _reader(name).dtype(found.token))


def _small(name: str, found: Layout) -> dict[str, np.ndarray]:
    return {table: _tensor(name, found, table) for table in found.small}


def _tensor(name: str, found: Layout, table: str) -> np.ndarray:
    shape = found.shapes[table]
    return _reader(name).rows(table, range(shape[0] if len(shape) == 2 else 1)).reshape(shape)
