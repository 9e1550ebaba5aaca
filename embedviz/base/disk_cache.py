"""Results kept on disk for the next visitor, within a limit: files that end with their SHA-256.

Each file is written in one step, so that no process of this machine reads half of it.
"""

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path

from embedviz.base.settings import configured, read

_HOUR = 3600
_PARTS = ("*.part", "tmp????????")  # half written files; earlier versions gave some of them the second kind of name
_SUFFIXES = (".run", ".npy")  # earlier versions kept maps too, which are forgotten first
_DIGEST = hashlib.sha256().digest_size


def folder() -> Path:
    """The folder of the cache: EMBEDVIZ_CACHE, or `embedviz` in the user's cache directory."""
    return read().cache


def max_bytes() -> int:
    """How much all files together may have. The file used longest ago is removed first."""
    return configured().cache_mib * 2**20


def load_bytes(file: str) -> bytes | None:
    """What a file of the cache holds; None if there is none, or if it is damaged."""
    path = folder() / file
    try:
        content = path.read_bytes()
        os.utime(path)  # marks the file as used now
    except OSError:
        return None
    data, digest = content[:-_DIGEST], content[-_DIGEST:]
    return data if hashlib.sha256(data).digest() == digest else None


def save_bytes(file: str, content: bytes) -> None:
    """Keep a file of one of the kinds _KEPT, if it can be written to the disk."""
    if write(folder() / file, content + hashlib.sha256(content).digest()):
        with suppress(OSError):  # another process may remove the same files
            _forget()


def write(path: Path, content: bytes) -> bool:
    """Write a file in one step. Returns False if it cannot be written; then no part of it is left behind."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
    except OSError:
        return False
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(part, path)
    except OSError:
        Path(part).unlink(missing_ok=True)
        return False
    return True


def remove_parts(folder: Path) -> None:
    """Remove the files below a folder that a crash left half written."""
    for part in chain.from_iterable(map(folder.rglob, _PARTS)):
        with suppress(OSError):  # another process may have removed it
            if time.time() - part.stat().st_mtime > _HOUR:
                part.unlink()


def _forget() -> None:
    """Remove the files used longest ago until the rest fit, and files that a crash left half written."""
    remove_parts(folder())
    kept = (path for path in folder().iterdir() if path.suffix in _SUFFIXES)
    files = sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > max_bytes():
            path.unlink(missing_ok=True)
