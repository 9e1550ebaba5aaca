"""Rows kept on disk, in the place that huggingface_hub has for such things (under HF_HOME).

Each version of a file has a folder, which holds two files for each table. One file has the rows at the places where
they lie in the whole table, with holes for the rest; the other has a CRC-32 for each row. A row counts only if its CRC
fits, so a write that was cut off, two processes at once or a worn disk lead to a row that is fetched again, never to a
wrong row. No table takes more than it does in the model's file, and a new version removes the one before. What is kept
of all models together stays below the setting models_mib: what would exceed it is not written.
"""

import hashlib
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from huggingface_hub import cached_assets_path, constants
from huggingface_hub.utils import WeakFileLock

from embedviz.base import disk_cache
from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.models.header import Tensor, Version

_CRC_BYTES = 4
WHOLE = "whole"  # in a model's folder: where `layers.bring` has what has come of files
_MARGIN_BYTES = 2**16  # a disk gives whole blocks, to folders and to CRCs too
_WRITING = "writing"  # two who write at once would both see the same room
LOOK_SECONDS = 1.0


@contextmanager
def exclusive(doing: str, meanwhile: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let no other thread or process of this machine do the same. Raises OSError where nothing can be written.

    meanwhile: called every second while another one does it; it may raise.
    """
    with ExitStack() as held:
        while True:
            with suppress(TimeoutError):
                lock = cached_assets_path("embedviz", "", "") / f"{doing}.lock"
                held.enter_context(WeakFileLock(lock, timeout=LOOK_SECONDS))
                break
            meanwhile()
        yield


def check_room(nbytes: int) -> None:
    """Raise Unavailable, which says what to remove, if so many bytes more are too many for all models together."""
    used = used_bytes()
    limit = configured().models_mib * 2**20
    if sum(used.values()) + nbytes + _MARGIN_BYTES > limit:
        raise Unavailable(
            "{needed:,.0f} MB more do not fit: the folder assets/embedviz in HF_HOME holds {there:,.0f} MB of "
            "models, and EMBEDVIZ_MODELS_MIB allows {limit:,.0f}. {advice}",
            needed=nbytes / 1e6,
            there=sum(used.values()) / 1e6,
            limit=limit / 1e6,
            advice=partial(_advice, used),
        )


def check_space(folder: Path, needed: int) -> None:
    """Raise Unavailable if the disk has less room."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise Unavailable(
            "it needs {needed:,.0f} MB on disk, and {free:,.0f} MB are free.", needed=needed / 1e6, free=free / 1e6
        )


def _advice(used: Mapping[str, int]) -> str:
    if not used:
        return _("Raise that setting.")
    largest = max(used, key=used.__getitem__)
    return _("Remove {model} there, which takes {size:,.0f} MB.", model=largest, size=used[largest] / 1e6)


def write(path: Path, content: bytes) -> None:
    """Keep a small file about a model, unless the disk takes nothing. Raises Unavailable if all models take enough."""
    disk_cache.remove_parts(cached_assets_path("embedviz", "", ""))
    with suppress(OSError), exclusive(_WRITING):
        check_room(len(content))
        disk_cache.write(path, content)


def used_bytes() -> dict[str, int]:
    """What each model takes of the disk, in bytes. The holes in a file take nothing."""
    root = cached_assets_path("embedviz", "", "")
    return {folder.name: sum(map(_on_disk, _files(folder))) for folder in root.iterdir() if folder.is_dir()}


def _files(folder: Path) -> Iterator[Path]:
    """The files of a model, and if a visitor has brought it whole, those in Hugging Face's own cache."""
    yield from folder.rglob("*")
    if (folder / WHOLE).is_dir():
        yield from Path(constants.HF_HUB_CACHE, f"models--{folder.name}", "blobs").glob("*")


def _on_disk(path: Path) -> int:
    with suppress(OSError):  # another process may have removed it
        about = path.lstat()
        return about.st_blocks * 512 if hasattr(about, "st_blocks") else about.st_size
    return 0


def folder(name: str, version: Version) -> Path:
    """The folder for the rows of one version. Raises Unavailable if nothing can be kept."""
    identity = "\n".join((version.etag, version.commit, str(version.size)))
    try:
        return cached_assets_path("embedviz", name, hashlib.sha256(identity.encode()).hexdigest()[:32])
    except (OSError, ValueError) as error:
        raise Unavailable("nothing can be kept in the folder HF_HOME.") from error


def remove_others(*folders: Path) -> None:
    """Remove everything that does not belong to the version that is kept, but not what comes of a whole model."""
    for other in folders[0].parent.iterdir():
        if other.is_dir() and other not in folders and other.name != WHOLE:
            shutil.rmtree(other, ignore_errors=True)


def runs(numbers: Iterable[int], gap: int = 0) -> Iterator[range]:
    """Cover ascending numbers with ranges, across gaps of at most `gap` numbers that are not wanted."""
    numbers = list(numbers)
    if not numbers:
        return
    breaks = [n for n, (low, high) in enumerate(pairwise(numbers), 1) if high - low > gap + 1]
    for first, last in pairwise([0, *breaks, len(numbers)]):
        yield range(numbers[first], numbers[last - 1] + 1)


class StoredRows:
    """The rows of one table that are on disk, as bytes. A disk that fails counts as an empty one."""

    def __init__(self, place: Path, tensor: Tensor) -> None:
        self._tensor, self.folder = tensor, place
        self._rows, self._crcs = place / f"{tensor.name}.rows", place / f"{tensor.name}.crc"

    def read(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """Those of the rows that are there."""
        found: dict[int, bytes] = {}
        size = self._tensor.row_bytes
        with suppress(OSError), self._rows.open("rb") as rows, self._crcs.open("rb") as crcs:
            for run in runs(sorted(numbers)):
                rows.seek(run.start * size)
                crcs.seek(run.start * _CRC_BYTES)
                data, sums = rows.read(len(run) * size), crcs.read(len(run) * _CRC_BYTES)
                for n, row in enumerate(run):
                    part = data[n * size : (n + 1) * size]
                    if len(part) == size and _crc(part) == sums[n * _CRC_BYTES : (n + 1) * _CRC_BYTES]:
                        found[row] = part
        return found

    def write(self, first: int, data: bytes) -> None:
        """Keep consecutive rows. Raises OSError if the disk refuses, and Unavailable if all models take enough."""
        with exclusive(_WRITING):
            check_room(len(data))
            self._write(first, data)

    def _write(self, first: int, data: bytes) -> None:
        size = self._tensor.row_bytes
        sums = b"".join(_crc(data[n : n + size]) for n in range(0, len(data), size))
        for path, offset, content in ((self._rows, first * size, data), (self._crcs, first * _CRC_BYTES, sums)):
            path.touch()
            with path.open("r+b") as file:
                file.seek(offset)
                file.write(content)

    def missing(self) -> list[int]:
        """The rows that are not there yet."""
        found: list[int] = []
        for part in _parts(range(self._tensor.shape[0])):
            there = self.read(part)
            found += [row for row in part if row not in there]
        return found

    def looks_whole(self) -> bool:
        """True if every row has its CRC, which says at once what only `whole` makes sure of by reading the rows."""
        with suppress(OSError):
            sums = np.frombuffer(self._crcs.read_bytes(), np.uint32)
            return len(sums) == self._tensor.shape[0] and bool(sums.all())  # a hole reads as zeros
        return False

    def whole(self) -> np.ndarray | None:
        """The whole table as float32, shape (V, D); None if a row is missing."""
        n_rows = self._tensor.shape[0]
        table = np.empty(self._tensor.shape, np.float32)
        for part in _parts(range(n_rows)):
            found = self.read(part)
            if len(found) != len(part):
                return None
            table[part.start : part.stop] = self._tensor.decode(b"".join(found[row] for row in part))
        return table


def _parts(numbers: range, size: int = 2048) -> Iterator[range]:
    return (numbers[n : n + size] for n in range(0, len(numbers), size))


def _crc(row: bytes) -> bytes:
    return zlib.crc32(row).to_bytes(_CRC_BYTES, "little")
