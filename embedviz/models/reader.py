"""One model's rows from where they are nearest: memory, the disk, the Hub."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.models import hub, identity, local
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.gate import Gate
from embedviz.models.header import Tables, Tensor
from embedviz.models.memory import Memory
from embedviz.models.store import StoredRows, runs

DEADLINE_SECONDS = 20.0  # for all the rows of a sentence
GAP = 16  # at most so many unwanted rows are fetched too, since another request would take longer
CONNECTIONS = 4
CHUNK_ROWS = 1024  # of a download: 3 MB at 768 dimensions
CHUNK_SECONDS = 60.0

Progress = Callable[[int, int], None]


class Reader:
    """Reads one model. Every method raises Unavailable, with the model's name, for what cannot be read."""

    def __init__(self, checkpoint: Checkpoint, memory: Memory) -> None:
        self._checkpoint, self._memory, self._gate = checkpoint, memory, Gate()
        self._opening, self._downloading = threading.Lock(), threading.Lock()
        self._opened: identity.Opened | None = None
        self._progress = (0, 1)

    def rows(self, table: str, numbers: Sequence[int]) -> np.ndarray:
        """Rows of `wte` or `wpe` in the order of the numbers, float32 of shape (T, D)."""
        wanted = sorted(set(numbers))
        with self._named():
            file = local.path(self._checkpoint)
            found = local.rows(file, self._checkpoint, table, wanted) if file else self._near(table, wanted)
            if len(found) < len(wanted):
                found = self._fetched(table, wanted)
        return np.stack([found[number] for number in numbers])

    def is_near(self, table: str, numbers: Sequence[int]) -> bool:
        """True if `rows` answers at once: from memory, from a file on this machine, or with a failure."""
        if self._gate.remembered() or local.path(self._checkpoint):
            return True
        if not self._opened:
            return False
        version, tables = self._opened
        return len(self._memory.find(version, getattr(tables, table), numbers)) == len(set(numbers))

    def whole(self) -> np.ndarray:
        """The whole token table, float32 of shape (V, D), if it was downloaded."""
        with self._named():
            if file := local.path(self._checkpoint):
                return local.whole(file, self._checkpoint, "wte")
            opened = self._known()
            table = opened and self._disk(*opened, "wte").whole()
            if table is None:
                raise Unavailable(_("the whole table is not on this machine yet. Download it first."))
        return table

    def download(self, progress: Progress) -> None:
        """Download the missing part of the whole token table to the disk; see `models.download`."""
        with self._named():
            if local.path(self._checkpoint):
                return
            while not self._downloading.acquire(timeout=0.5):
                progress(*self._progress)
            try:
                self._download(progress)
            finally:
                self._downloading.release()

    def retry(self) -> None:
        """Try the Hub again at the next call."""
        self._gate.reopen()

    def _near(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """Those of the rows that are in memory or on the disk."""
        opened = self._known()
        if not opened:
            return {}
        version, tables = opened
        tensor = getattr(tables, table)
        found = self._memory.find(version, tensor, wanted)
        rest = [number for number in wanted if number not in found]
        with suppress(OSError, ValueError):
            kept = self._disk(version, tables, table).read(rest) if rest else {}
            rows = {number: tensor.decode(data)[0] for number, data in kept.items()}
            self._memory.keep(version, tensor, rows)
            found |= rows
        return found

    def _fetched(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """All of the rows. Those that are not near are fetched from the Hub and kept."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        with self._gate.alone():
            version, tables = self._open()
            found = self._near(table, wanted)  # others may have fetched them meanwhile
            missing = [number for number in wanted if number not in found]

            def fetch(run: range) -> dict[int, np.ndarray]:
                return self._fetch(version, tables, table, run, deadline)

            with ThreadPoolExecutor(CONNECTIONS) as connections:
                for part in connections.map(fetch, runs(missing, GAP)):
                    found |= part
        return found

    def _fetch(
        self, version: hub.Version, tables: Tables, table: str, run: range, deadline: float
    ) -> dict[int, np.ndarray]:
        tensor = getattr(tables, table)
        data = self._read(version, tensor, run, deadline)
        rows = dict(zip(run, tensor.decode(data), strict=True))
        self._memory.keep(version, tensor, rows)
        with suppress(OSError, ValueError):  # if the disk takes nothing, memory must be enough
            self._disk(version, tables, table).write(run.start, data)
        return rows

    def _read(self, version: hub.Version, tensor: Tensor, run: range, deadline: float) -> bytes:
        start, length = tensor.start + run.start * tensor.row_bytes, len(run) * tensor.row_bytes
        return hub.read(self._checkpoint, version, start, length, deadline)

    def _download(self, progress: Progress) -> None:
        with self._gate.alone():
            version, tables = self._open()
        tensor, disk = tables.wte, self._disk(version, tables, "wte")
        missing = disk.missing()
        total = tensor.shape[0] * tensor.row_bytes
        done = total - len(missing) * tensor.row_bytes
        _check_space(identity.folder(self._checkpoint, version), total - done)
        self._report(progress, done, total)
        for run in runs(missing):
            for first in range(run.start, run.stop, CHUNK_ROWS):
                chunk = range(first, min(first + CHUNK_ROWS, run.stop))
                self._download_chunk(version, tensor, disk, chunk)
                done += len(chunk) * tensor.row_bytes
                self._report(progress, done, total)

    def _download_chunk(self, version: hub.Version, tensor: Tensor, disk: StoredRows, chunk: range) -> None:
        try:
            data = self._read(version, tensor, chunk, time.monotonic() + CHUNK_SECONDS)
        except Unavailable as error:
            self._gate.failed(error)
            raise
        tensor.decode(data)  # raises Unavailable for infinity and for what is no number
        try:
            disk.write(chunk.start, data)
        except OSError as error:
            raise Unavailable(_("the disk does not take the table.")) from error

    def _report(self, progress: Progress, done: int, total: int) -> None:
        self._progress = (done, total)
        progress(done, total)

    def _disk(self, version: hub.Version, tables: Tables, table: str) -> StoredRows:
        return StoredRows(identity.folder(self._checkpoint, version), getattr(tables, table))

    def _known(self) -> identity.Opened | None:
        """The version in use, or the one in use when the app last ran."""
        if not self._opened:
            known = identity.load(self._checkpoint)
            with self._opening:
                self._opened = self._opened or known
        return self._opened

    def _open(self) -> identity.Opened:
        """The version in use. After a failure, the Hub is asked which version it has, as the old one may be gone."""
        opened = self._known()
        if not opened or self._gate.in_doubt:
            opened = identity.ask(self._checkpoint, opened)
            with self._opening:
                self._opened = opened
        return opened

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except Unavailable as error:
            raise Unavailable(
                _("The vectors of {model} cannot be read: {error}", model=self._checkpoint.name, error=error),
                error.wait,
            ) from error


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise Unavailable(
            _(
                "the table needs {needed:,.0f} MB on disk, and {free:,.0f} MB are free.",
                needed=needed / 1e6,
                free=free / 1e6,
            )
        )
