"""One model's rows from where they are nearest: memory, the disk, the Hub."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import numpy as np

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_
from embedviz.models import families, identity, local
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.download import Progress, download
from embedviz.models.families import Layout
from embedviz.models.files import WEIGHTS, check_rows, read_rows
from embedviz.models.header import Tensor
from embedviz.models.hub.fetch_limiter import FetchLimiter
from embedviz.models.hub.hub import HubFiles
from embedviz.models.identity import Opened
from embedviz.models.installed import installed
from embedviz.models.kept import store
from embedviz.models.kept.memory import Memory
from embedviz.models.kept.store import StoredRows, runs
from embedviz.models.local import TOKENIZER, LocalFiles
from embedviz.models.tokenizer_file import TokenizerFile

DEADLINE_SECONDS = 20.0  # for all the rows of a sentence
GAP = 16  # at most so many unwanted rows are fetched too, since another request would take longer
CONNECTIONS = 4

_NO_VECTORS = N_("The vectors of {model} cannot be read: {error}")
_NO_TOKENIZER = N_("The tokenizer of {model} cannot be read: {error}")


class NotDownloaded(Unavailable):
    """The whole table is not on this machine yet, and can be downloaded."""


class RowReader:
    """Reads one model.

    Every method raises Unavailable, with the model's name, for what cannot be read now, and EmbedvizError for a model
    of a family that is not known.
    """

    def __init__(self, checkpoint: Checkpoint, memory: Memory) -> None:
        self._checkpoint, self._memory, self._gate = checkpoint, memory, FetchLimiter()
        self._hub = HubFiles(checkpoint.repo)
        self._tokenizer = TokenizerFile(checkpoint, self._hub, self._gate)
        self._opening = threading.Lock()
        self._opened: Opened | None = None
        # Known already of those whose config is.
        self._layout = families.layout(checkpoint.config) if checkpoint.config else None

    def layout(self) -> Layout:
        """Where the vectors that enter the model's first layer come from. Raises EmbedvizError for a strange family."""
        if self._layout:
            return self._layout
        with self._named():
            if opened := self._at_hand():
                return opened.layout
            with self._gate.alone():
                return self._open().layout

    def is_at_hand(self) -> bool:
        """True if `layout` answers at once, even if it answers with a failure."""
        try:
            return bool(self._layout or self._gate.remembered() or self._at_hand())
        except EmbedvizError:
            return True

    def rows(self, table: str, numbers: Sequence[int]) -> np.ndarray:
        """Rows of one of the layout's tables in the order of the numbers, float32 of shape (T, D).

        Raises EmbedvizError for a row that the table does not have.
        """
        wanted = sorted(set(numbers))
        layout = self.layout()
        with self._named():
            check_rows(wanted, layout.shapes[table][0] if len(layout.shapes[table]) == 2 else 1)
            if files := local.find(self._checkpoint):
                found = self._local(files, table, wanted)
            else:
                found = self._near(table, wanted)
                if len(found) < len(wanted):
                    found = self._fetched(table, wanted)
        return np.stack([found[number] for number in numbers])

    def has_near(self, table: str, numbers: Sequence[int]) -> bool:
        """True if `rows` answers at once: from memory, from a file on this machine, or with a failure."""
        if self._gate.remembered() or local.find(self._checkpoint):
            return True
        if not self._opened:
            return False
        return len(self._memory.find(self._opened.tensors[table], numbers)) == len(set(numbers))

    def whole(self, table: str) -> np.ndarray:
        """A whole table, float32 of shape (rows, D). Raises NotDownloaded if it is not on this machine."""
        with self._named():
            if files := local.find(self._checkpoint):
                tensor = local.opened(files, self._checkpoint).tensors[table]
                return tensor.decode(files.read(tensor.file, tensor.version, tensor.start, tensor.nbytes, 0.0))
            opened = self._known()
            found = opened and self._disk(opened.tensors[table]).whole()
            if found is None:
                raise NotDownloaded("the whole table is not on this machine yet. Download it first.")
        return found

    def tensor(self, table: str) -> Tensor | None:
        """Where a table lies in the model's files; None if that is not known without asking anybody."""
        opened = self._at_hand()
        return opened.tensors[table] if opened else None

    def _at_hand(self) -> Opened | None:
        files = local.find(self._checkpoint)
        return local.opened(files, self._checkpoint) if files else self._known()

    def download(self, progress: Progress = lambda done, total: None) -> None:
        """Download the whole token table to the disk, or the part of it that is missing.

        progress: called with the bytes that are there and the bytes of the table. An error that it raises stops the
        download, and the next download goes on from there. Like `retry`, this tries the Hub again after a failure.
        """
        self.retry()
        with self._named():
            if not local.find(self._checkpoint):
                with self._gate.alone():
                    tensor = self._open().token
                download(tensor, self._disk(tensor), self._hub, self._gate, progress)
        installed.cache_clear()

    def tokenizer_json(self) -> bytes:
        """The model's tokenizer.json, which the library `tokenizers` reads, as it was when it was first read."""
        with self._named(TOKENIZER):
            return self._tokenizer.read()

    def is_tokenizer_near(self) -> bool:
        """True if `tokenizer_json` answers at once: from memory, from this machine, or with a failure."""
        return self._tokenizer.is_near()

    def retry(self) -> None:
        """Try the Hub again at the next call."""
        self._gate.reopen()

    def _local(self, files: LocalFiles, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        tensor = local.opened(files, self._checkpoint).tensors[table]
        found = self._memory.find(tensor, wanted)
        for run in runs(number for number in wanted if number not in found):
            rows = dict(zip(run, tensor.decode(read_rows(files, tensor, run, 0.0)), strict=True))
            self._memory.keep(tensor, rows)
            found |= rows
        return found

    def _near(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """Those of the rows that are in memory or on the disk."""
        opened = self._known()
        if not opened:
            return {}
        tensor = opened.tensors[table]
        found = self._memory.find(tensor, wanted)
        rest = [number for number in wanted if number not in found]
        with suppress(OSError, ValueError):
            kept = self._disk(tensor).read(rest) if rest else {}
            rows = {number: tensor.decode(data)[0] for number, data in kept.items()}
            self._memory.keep(tensor, rows)
            found |= rows
        return found

    def _fetched(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """All of the rows. Those that are not near are fetched from the Hub and kept."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        with self._gate.alone():
            tensor = self._open().tensors[table]
            found = self._near(table, wanted)  # others may have fetched them meanwhile
            missing = [number for number in wanted if number not in found]
            with ThreadPoolExecutor(CONNECTIONS) as connections:
                for part in connections.map(lambda run: self._fetch(tensor, run, deadline), runs(missing, GAP)):
                    found |= part
        return found

    def _fetch(self, tensor: Tensor, run: range, deadline: float) -> dict[int, np.ndarray]:
        data = read_rows(self._hub, tensor, run, deadline)
        rows = dict(zip(run, tensor.decode(data), strict=True))
        self._memory.keep(tensor, rows)
        with suppress(OSError, ValueError):  # if the disk takes nothing, or all models enough, memory must do
            self._disk(tensor).write(run.start, data)
        return rows

    def _disk(self, tensor: Tensor) -> StoredRows:
        return StoredRows(store.folder(self._checkpoint.name, tensor.version), tensor)

    def _known(self) -> Opened | None:
        """The version in use, or the one in use when the app last ran."""
        if not self._opened:
            known = identity.load(self._checkpoint)
            with self._opening:
                self._opened = self._opened or known
        return self._opened

    def _open(self) -> Opened:
        """The version in use. After a failure, the Hub is asked which version it has, as the old one may be gone."""
        opened = self._known()
        if not opened or self._gate.in_doubt:
            opened = identity.resolve(self._hub, self._checkpoint, opened)
            identity.save(self._checkpoint, opened)
            with self._opening:
                self._opened = opened
        return opened

    @contextmanager
    def _named(self, file: str = WEIGHTS) -> Iterator[None]:
        """Name the model in an error, and the file if the model is on this machine without it."""
        try:
            yield
        except EmbedvizError as error:
            said = _NO_TOKENIZER if file == TOKENIZER else _NO_VECTORS
            is_here = isinstance(error, Unavailable) and local.without(self._checkpoint, file)
            raise type(error)(said, model=self._checkpoint.name, error=is_here or error, wait=error.wait) from error
