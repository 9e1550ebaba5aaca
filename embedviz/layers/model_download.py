"""Whole models that visitors bring onto this machine, into Hugging Face's own cache, one after the other.

Of a model nothing but config.json, tokenizer.json and its safetensors is read, piece by piece. What has come of a file
is kept, so that a download that was cancelled or cut off goes on where it stopped.

The limits: of a model's memory `layers.model.check_size`, of what all models take of the disk
`models.store.check_room`, of the disk itself `models.store.check_space`, of a small file `models.files.check_small`.
"""

import hashlib
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path

import cachetools
from huggingface_hub import cached_assets_path

from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_
from embedviz.base.settings import configured
from embedviz.layers.model import check_size, layout_of
from embedviz.layers.runnable import look_again, runnable
from embedviz.models.checkpoints import CHECKPOINTS, Checkpoint, checkpoint
from embedviz.models.files import CONFIG, INDEX, WEIGHTS, check_small, json_object, small
from embedviz.models.full_weights import FLOATS
from embedviz.models.header import Version, whole_numbers
from embedviz.models.hub.fetch_limiter import FetchLimiter
from embedviz.models.hub.hub import HubFiles
from embedviz.models.hub.refusals import Missing
from embedviz.models.identity import MAX_CONFIG_BYTES, header, weight_map
from embedviz.models.kept import store
from embedviz.models.local import TOKENIZER
from embedviz.vocabulary import fetching

PIECE = 2**23  # bytes of one request
PIECE_SECONDS = 30.0  # in which a piece has come, or does not count: the others in line wait meanwhile
MAX_FILES = 50  # in which a model's weights may lie
ETAG = re.compile(r"\w[\w.-]{0,199}", re.ASCII)  # the name of a file in its folder, which "." and ".." are not
SHA256 = re.compile(r"[0-9a-f]{64}")
_NOT_BROUGHT = N_("{model} cannot be brought onto this machine: {error}")

bringings = fetching.download_jobs(at_once=1)  # shared by all visitors; two at once could take the same room


@dataclass(frozen=True)
class Parcel:
    """What has to come. files: each with its version. kind: "encoder" or "causal"."""

    checkpoint: Checkpoint
    files: tuple[tuple[str, Version], ...]
    kind: str

    @property
    def nbytes(self) -> int:
        """How large all files are together."""
        return sum(version.size for _file, version in self.files)


def offered(kind: str = "") -> list[str]:
    """The models of the short list whose layers cannot be run here yet. kind: only those of this kind."""
    return [
        name for name, each in CHECKPOINTS.items() if each.kind and kind in ("", each.kind) and name not in runnable()
    ]


def request(wanted: Parcel, visitor: str) -> None:
    """Put a download in line. Raises EmbedvizError if too many wait."""
    name = wanted.checkpoint.name
    bringings.ask(visitor, {name: fetching.job(partial(download, wanted), model=name)})


@cachetools.cached(cachetools.LRUCache(64), lock=threading.Lock())
def _gate(_name: str) -> FetchLimiter:
    return FetchLimiter()


def reset() -> None:
    """Forget what was learned of models that may come, as a new process does."""
    parcel.cache_clear()
    _gate.cache_clear()


@cachetools.cached(cachetools.TTLCache(64, 300.0), condition=Waiting())
def parcel(name: str) -> Parcel:
    """Ask the Hub what a model consists of.

    Raises EmbedvizError, which names the model, if this server doesn't allow it or gives models less memory, or if its
    layers are not run here; and Unavailable if it can't be had now, or not without running its own code.
    """
    found = checkpoint(name)
    with _named(name), _gate(name).alone():
        hub = HubFiles(found.repo)
        config = hub.newest(CONFIG)
        kind = layout_of(json_object(small(hub, CONFIG, MAX_CONFIG_BYTES, config))).kind
        weights, index = _weights(hub)
        check_size(sum(version.size for version in weights.values()))  # before any header is read
        check_size(4 * sum(_n_numbers(hub, file, version) for file, version in weights.items()))
        own = [TOKENIZER] if found.tokenizer == name else []
        rest = {file: hub.newest(file) for file in (*own, *index)}
        for file in own:
            check_small(file, rest[file], configured().tokenizer_mib * 2**20)
        files = {**weights, **rest, CONFIG: config}
        _check_etags(files)
        return Parcel(found, tuple(files.items()), kind)


def download(wanted: Parcel, progress: Callable[[int, int], None]) -> None:
    """Download what is not there yet. progress: called with the bytes that are there, and all bytes; it may raise.

    One process of this machine does so at a time. The others wait, tell how far it is, and find what it has brought.
    Raises Unavailable, which names the model, if there is no room, or if a file does not come as it was announced.
    """
    hub, name = HubFiles(wanted.checkpoint.repo), wanted.checkpoint.name
    with _named(name), store.exclusive("bringing", lambda: progress(_all_there(hub, wanted), wanted.nbytes)):
        parts = part_folder(wanted.checkpoint)
        _remove_others(parts, wanted)
        there = _all_there(hub, wanted)
        store.check_room(wanted.nbytes - there)
        store.check_space(parts, wanted.nbytes - there)
        progress(there, wanted.nbytes)
        for file, version in wanted.files:
            if not (hub.blobs / version.etag).exists():
                for nbytes in _come(hub, file, version, parts):
                    there += nbytes
                    progress(there, wanted.nbytes)
        for file, version in wanted.files:
            hub.keep(file, version)
    look_again()


def _come(hub: HubFiles, file: str, version: Version, parts: Path) -> Iterator[int]:
    """Download the rest of a file, and yield the length of each piece once it is on the disk."""
    part = parts / f"{version.etag}.part"
    with part.open("ab") as out:
        while (start := out.tell()) < version.size:
            length = min(PIECE, version.size - start)
            out.write(hub.read(file, version, start, length, time.monotonic() + PIECE_SECONDS))
            out.flush()
            yield length
    _check(part, file, version)
    hub.blobs.mkdir(parents=True, exist_ok=True)
    shutil.move(part, hub.blobs / version.etag)


def _weights(hub: HubFiles) -> tuple[Mapping[str, Version], list[str]]:
    """The files with the weights, and the file that says which tensor lies in which, if there are several."""
    try:
        return {WEIGHTS: hub.newest(WEIGHTS)}, []
    except Missing:
        files = sorted(set(weight_map(hub).values()))
    if len(files) > MAX_FILES:
        raise Unavailable("its weights lie in {n:,} files. Choose a smaller model.", n=len(files))
    return {file: hub.newest(file) for file in files}, [INDEX]


def _n_numbers(hub: HubFiles, file: str, version: Version) -> int:
    """How many numbers a file's tensors of floats hold, by its header."""
    entries, _head, _end = header(hub, file, version)
    floats = [each for each in entries.values() if isinstance(each, Mapping) and each.get("dtype") in FLOATS]
    return sum(prod(each["shape"]) for each in floats if whole_numbers(each.get("shape")))


def _check_etags(files: Mapping[str, Version]) -> None:
    """Raise Unavailable if an etag cannot be a file's name, or if it is that of two files, which are kept under it."""
    files_by_name: dict[str, str] = {}
    for file, version in files.items():
        if not ETAG.fullmatch(version.etag):
            raise Unavailable("the Hub sends no checksum (etag) of the usual kind for {file}.", file=file)
        other = files_by_name.setdefault(version.etag.casefold(), file)  # on some disks capitals make no difference
        is_same = SHA256.fullmatch(version.etag) and version == files[other]
        if other != file and not is_same:
            raise Unavailable(
                "the Hub sends one checksum (etag) for two files, {other} and {file}.", other=other, file=file
            )


def part_folder(checkpoint: Checkpoint) -> Path:
    """Where files are until they are complete."""
    return cached_assets_path("embedviz", checkpoint.repo, store.WHOLE)


def _remove_others(parts: Path, wanted: Parcel) -> None:
    """Remove what has come of files that are no longer those of the model."""
    etags = {version.etag for _file, version in wanted.files}
    for part in parts.glob("*.part"):
        if part.stem not in etags:
            part.unlink()


def _all_there(hub: HubFiles, wanted: Parcel) -> int:
    """How many bytes of all files are there."""
    parts = part_folder(wanted.checkpoint)
    return sum(_there(hub.blobs / version.etag, parts / f"{version.etag}.part") for _file, version in wanted.files)


def _there(*places: Path) -> int:
    """How many bytes the first of the files has that is there; another process may move one meanwhile."""
    for place in places:
        with suppress(FileNotFoundError):
            return place.stat().st_size
    return 0


def _check(part: Path, file: str, version: Version) -> None:
    """Remove a file that is not as it was announced. Raises Unavailable. The etag of a large file is its SHA-256."""
    with part.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if part.stat().st_size != version.size or (SHA256.fullmatch(version.etag) and found != version.etag):
        part.unlink()
        raise Unavailable("{file} arrived damaged. Download it again.", file=file)


@contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except EmbedvizError as error:
        raise type(error)(_NOT_BROUGHT, model=name, error=error, wait=error.wait) from error
    except OSError as error:
        raise Unavailable(_NOT_BROUGHT, model=name, error=error.strerror) from error
