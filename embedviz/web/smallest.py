"""Brotli at its best takes ten seconds for Plotly: done once, in the background, and kept on disk for later starts."""

import hashlib
import os
import queue
import threading
import time
from contextlib import suppress
from pathlib import Path

import brotli

from embedviz import kept

_QUICK, _BEST = 5, 11  # Brotli's qualities: 5 takes as long as gzip does, and is smaller
_LATER = 20.0  # seconds after the first visitor asked: the page goes first
_UNUSED = 30 * 24 * 3600.0  # seconds after which a kept file goes: it is of an older version
_LOWEST = 19  # of Unix's priorities


class Smallest:
    """Makes files small and then smaller.

    folder: where the smallest are kept; where nothing can be written, each start makes them again.
    """

    def __init__(self, folder: Path, later: float = _LATER) -> None:
        self._folder = folder
        self._later = later
        self._waiting: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._made: dict[Path, bytes] = {}

    def get(self, path: Path) -> bytes | None:
        """The file at its smallest, once that is there."""
        return self._made.get(path)

    def quick(self, path: Path) -> bytes:
        """The file as small as it gets now; `get` has it smaller some time later. Any thread may ask."""
        text = path.read_bytes()
        if small := self._kept(text):
            self._made[path] = small
            return small
        self._waiting.put(path)
        with self._start:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="smallest", daemon=True)
                self._thread.start()
        return brotli.compress(text, quality=_QUICK)

    def _work(self) -> None:
        with suppress(AttributeError, OSError):  # Linux alone has priorities for threads
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)
        time.sleep(self._later)
        while True:
            path = self._waiting.get()
            text = path.read_bytes()
            body = brotli.compress(text, quality=_BEST)
            self._keep(text, body)
            self._made[path] = body

    def _file(self, text: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(text).hexdigest()}.br"

    def _kept(self, text: bytes) -> bytes | None:
        """What an earlier start kept, if it is whole."""
        try:
            body = self._file(text).read_bytes()
            if brotli.decompress(body) != text:
                return None
            os.utime(self._file(text))  # it was used now
        except (OSError, brotli.error):
            return None
        return body

    def _keep(self, text: bytes, body: bytes) -> None:
        if kept.write(self._file(text), body):
            with suppress(OSError):  # another process may remove the same files
                self._forget()

    def _forget(self) -> None:
        """Remove what no start of the last month used, and what a crash left half written."""
        for path in self._folder.iterdir():
            if time.time() - path.stat().st_mtime > _UNUSED:
                path.unlink(missing_ok=True)
