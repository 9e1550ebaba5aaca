"""One model's rows from where they are nearest: memory, the disk, the Hub."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import cachetools
import numpy as np

from embedviz.checkpoints import Checkpoint
from embedviz.errors import Unavailable
from embedviz.pretrained import hub, identity, local
from embedviz.pretrained.header import Tables, Tensor
from embedviz.pretrained.store import Rows, runs

MEMORY_BYTES = 2**26
FAILURE_SECONDS = 30.0  # for so long a failure answers everyone, so that a class does not knock all at once
PAUSE_SECONDS = 1.0  # between two tries, however often "Try again" is pressed
DEADLINE_SECONDS = 20.0  # for all the rows of a sentence
QUEUE_SECONDS = 40.0  # behind others who fetch from the same model
GAP = 16  # rows that are fetched unasked, since another request would take longer
CONNECTIONS = 4
CHUNK_ROWS = 1024  # of a download: 3 MB at 768 dimensions
CHUNK_SECONDS = 60.0

Progress = Callable[[int, int], None]


class Memory:
    """The rows used last, of all models, bounded in bytes."""

    def __init__(self, max_bytes: int = MEMORY_BYTES) -> None:
        self._rows = cachetools.LRUCache(max_bytes, getsizeof=lambda row: row.nbytes)
        self._lock = threading.Lock()

    def find(self, version: hub.Version, tensor: Tensor, numbers: Sequence[int]) -> dict[int, np.ndarray]:
        """Those of the rows that are there."""
        with self._lock:
            found = {number: self._rows.get((version, tensor.name, number)) for number in numbers}
        return {number: row for number, row in found.items() if row is not None}

    def keep(self, version: hub.Version, tensor: Tensor, rows: dict[int, np.ndarray]) -> None:
        """Keep rows; those used longest ago go."""
        with self._lock, suppress(ValueError):  # ValueError: one row is larger than all of the memory
            for number, row in rows.items():
                self._rows[version, tensor.name, number] = row


class Reader:
    """Reads one model, one fetch at a time; what fails is not tried again for a while.

    Every method raises Unavailable, with the model's name, if what it needs cannot be read.
    """

    def __init__(self, checkpoint: Checkpoint, memory: Memory) -> None:
        self._checkpoint, self._memory = checkpoint, memory
        self._fetching, self._downloading = threading.Lock(), threading.Lock()
        self._opened: tuple[hub.Version, Tables] | None = None
        self._failure: Unavailable | None = None
        self._failed_at = 0.0

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
        if self._remembered_failure() or local.path(self._checkpoint):
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
            opened = self._opened or identity.load(self._checkpoint)
            table = self._disk(*opened, "wte").whole() if opened else None
            if table is None:
                raise Unavailable("the whole table is not on this machine yet. Download it first.")
        return table

    def download(self, progress: Progress) -> None:
        """Bring the whole token table to the disk. What is there already is not fetched again, so a download
        that was cut off or stopped goes on where it was.

        progress: called with the bytes there and the bytes of the table; it stops the download by raising.
        """
        with self._named():
            if local.path(self._checkpoint):
                return
            while not self._downloading.acquire(timeout=0.5):
                progress(*self._progress)
            try:
                self._download(progress)
            finally:
                self._downloading.release()

    _progress = (0, 1)

    def _download(self, progress: Progress) -> None:
        with self._alone():
            version, tables = self._open()
        tensor, rows = tables.wte, self._disk(version, tables, "wte")
        missing = rows.missing()
        n_rows = tensor.shape[0]
        self._check_space(version, len(missing) * tensor.row_bytes)
        for run in runs(missing, GAP):
            for first in range(run.start, run.stop, CHUNK_ROWS):
                self._progress = ((n_rows - len(missing)) * tensor.row_bytes, n_rows * tensor.row_bytes)
                progress(*self._progress)
                chunk = range(first, min(first + CHUNK_ROWS, run.stop))
                data = self._read(version, tensor, chunk, time.monotonic() + CHUNK_SECONDS)
                tensor.decode(data)  # refuses numbers that are none
                self._write(rows, first, data)
                missing = [row for row in missing if row not in chunk]
        progress(n_rows * tensor.row_bytes, n_rows * tensor.row_bytes)

    def _check_space(self, version: hub.Version, needed: int) -> None:
        free = shutil.disk_usage(identity.folder(self._checkpoint, version)).free
        if needed > free:
            raise Unavailable(f"the table needs {needed / 1e6:,.0f} MB on disk, and {free / 1e6:,.0f} MB are free.")

    def _write(self, rows: Rows, first: int, data: bytes) -> None:
        try:
            rows.write(first, data)
        except OSError as error:
            raise Unavailable("the disk does not take the table.") from error

    def retry(self) -> None:
        """Forget a failure, unless it is a second old or the Hub asked for a longer pause."""
        pause = PAUSE_SECONDS if self._failure is None else max(self._failure.wait or 0, PAUSE_SECONDS)
        if time.monotonic() - self._failed_at >= pause:
            self._failure = None

    def _near(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """Those of the rows that are in memory or on the disk."""
        self._opened = self._opened or identity.load(self._checkpoint)
        if not self._opened:
            return {}
        version, tables = self._opened
        tensor = getattr(tables, table)
        found = self._memory.find(version, tensor, wanted)
        rest = [number for number in wanted if number not in found]
        if rest:
            with suppress(OSError, ValueError):
                kept = self._disk(version, tables, table).read(rest)
                found |= self._remember(version, tensor, kept)
        return found

    def _fetched(self, table: str, wanted: Sequence[int]) -> dict[int, np.ndarray]:
        """All of the rows; those that are not near come from the Hub, and stay."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        with self._alone():
            version, tables = self._open()
            tensor = getattr(tables, table)
            found = self._near(table, wanted)  # others may have fetched them meanwhile
            missing = [number for number in wanted if number not in found]
            with ThreadPoolExecutor(CONNECTIONS) as connections:
                parts = connections.map(lambda run: self._fetch(version, tables, table, run, deadline), runs(missing, GAP))
                for part in parts:
                    found |= self._remember(version, tensor, part)
        return found

    def _fetch(self, version: hub.Version, tables: Tables, table: str, run: range, deadline: float) -> dict[int, bytes]:
        tensor = getattr(tables, table)
        data = self._read(version, tensor, run, deadline)
        with suppress(OSError, ValueError):  # a disk that takes nothing: memory has to do
            self._disk(version, tables, table).write(run.start, data)
        return {row: data[n : n + tensor.row_bytes] for n, row in zip(range(0, len(data), tensor.row_bytes), run)}

    def _read(self, version: hub.Version, tensor: Tensor, run: range, deadline: float) -> bytes:
        start, length = tensor.start + run.start * tensor.row_bytes, len(run) * tensor.row_bytes
        return hub.read(self._checkpoint, version, start, length, deadline)

    def _remember(self, version: hub.Version, tensor: Tensor, data: dict[int, bytes]) -> dict[int, np.ndarray]:
        rows = {number: tensor.decode(row)[0] for number, row in data.items()}
        self._memory.keep(version, tensor, rows)
        return rows

    def _disk(self, version: hub.Version, tables: Tables, table: str) -> Rows:
        return Rows(identity.folder(self._checkpoint, version), getattr(tables, table))

    def _open(self) -> tuple[hub.Version, Tables]:
        """The version in use. After a failure the Hub is asked which it has: the old one may be gone."""
        opened = self._opened or identity.load(self._checkpoint)
        if not opened or self._failed_at:
            opened = identity.ask(self._checkpoint, opened)
        self._opened, self._failed_at = opened, 0.0
        return opened

    def _remembered_failure(self) -> Unavailable | None:
        failure = self._failure
        if failure and time.monotonic() - self._failed_at < max(failure.wait or 0, FAILURE_SECONDS):
            return failure
        return None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Fetch alone; fail as the one before did, for a while."""
        self._raise_remembered()
        if not self._fetching.acquire(timeout=QUEUE_SECONDS):
            raise Unavailable("too many are waiting for it. Try again in a minute.")
        try:
            self._raise_remembered()
            yield
        except Unavailable as error:
            if error is not self._failure:
                self._failure, self._failed_at = error, time.monotonic()
            raise
        finally:
            self._fetching.release()

    def _raise_remembered(self) -> None:
        if failure := self._remembered_failure():
            raise failure

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except Unavailable as error:
            raise Unavailable(f"The vectors of {self._checkpoint.name} cannot be read: {error}", error.wait) from error
