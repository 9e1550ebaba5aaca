"""The tokenizer.json of a model from where it is nearest: memory, this machine, the Hub."""

from contextlib import suppress
from typing import Any

import cachetools

from embedviz.base.settings import configured
from embedviz.models import local
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.files import small
from embedviz.models.hub.fetch_limiter import FetchLimiter
from embedviz.models.hub.hub import HubFiles
from embedviz.models.kept import small_files
from embedviz.models.local import TOKENIZER

TOKENIZERS_BYTES = 2**26  # of those that are kept in memory
_TOKENIZERS = cachetools.LRUCache[Any, bytes](TOKENIZERS_BYTES, getsizeof=len)


def reset() -> None:
    """Forget all files, as a new process does."""
    _TOKENIZERS.clear()


class TokenizerFile:
    """Reads the file of one model. Both methods are those of Reader, whose gate the Hub is asked through."""

    def __init__(self, checkpoint: Checkpoint, hub: HubFiles, gate: FetchLimiter) -> None:
        self._checkpoint, self._hub, self._gate = checkpoint, hub, gate

    def is_near(self) -> bool:
        """True if `read` answers at once: from memory, from this machine, or with a failure."""
        near = (self._checkpoint.name, None) in _TOKENIZERS or self._gate.remembered()
        here = local.file_folder(self._checkpoint, TOKENIZER) or small_files.is_kept(self._checkpoint, TOKENIZER)
        return bool(near or here)

    def read(self) -> bytes:
        """The file as it was when it was first read. Raises Unavailable if it cannot be had now."""
        files, limit = local.file_folder(self._checkpoint, TOKENIZER), configured().tokenizer_mib * 2**20
        key = (self._checkpoint.name, files and files.newest(TOKENIZER))
        if (found := _TOKENIZERS.get(key)) is not None:
            return found
        if files:
            data = small(files, TOKENIZER, limit)
        else:
            with self._gate.alone():
                data = small_files.cached_file(self._checkpoint, self._hub, TOKENIZER, limit)
        with suppress(ValueError):  # one file is larger than all that is kept
            _TOKENIZERS[key] = data
        return data
