"""Files that never change under their address: compressed once, and kept by browsers for a year.

The package servestatic is not used, because it would write the compressed copies into the folders of Plotly and
Streamlit themselves.
"""

import asyncio
import gzip
import hashlib
import mimetypes
import os
import queue
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from embedviz.base import disk_cache

_SUFFIXES = {".js", ".mjs", ".css", ".svg", ".ttf"}
_HEADERS = {"Vary": "Accept-Encoding", "Cache-Control": "public, max-age=31536000, immutable"}
_QUICK, _BEST = 5, 11  # Brotli's qualities: 5 takes as long as gzip does, and is smaller
_LATER = 20.0  # seconds after the first visitor has asked, so that the page itself comes first
_UNUSED = 30 * 24 * 3600.0  # seconds after which an unused file is removed, since it belongs to an older version
_LOWEST = 19  # of Unix's priorities


class Smallest:
    """Makes files small and then smaller.

    Brotli at its best takes ten seconds for Plotly: done once, in the background, and kept on disk for later starts.
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
        """Return the file that an earlier start kept, if it is whole."""
        try:
            body = self._file(text).read_bytes()
            if brotli.decompress(body) != text:
                return None
            os.utime(self._file(text))  # it was used now
        except (OSError, brotli.error):
            return None
        return body

    def _keep(self, text: bytes, body: bytes) -> None:
        if disk_cache.write(self._file(text), body):
            with suppress(OSError):  # another process may remove the same files
                self._forget()

    def _forget(self) -> None:
        """Remove files that no start of the last month has used, and files that a crash left half written."""
        for path in self._folder.iterdir():
            if time.time() - path.stat().st_mtime > _UNUSED:
                path.unlink(missing_ok=True)


class CompressedFiles:
    """Middleware that answers for the text files below some directories; all else goes on to the app.

    directories: from the start of an address to the directory whose files lie there. The files are
    listed once, so that no address leads anywhere else. A file is compressed when first asked for, once
    for all who ask meanwhile; with Brotli for those who take it.
    """

    def __init__(self, app: ASGIApp, directories: Mapping[str, Path], smallest: Smallest) -> None:
        self._app = app
        self._files = {
            f"{start}/{path.relative_to(directory).as_posix()}": path
            for start, directory in directories.items()
            for path in directory.rglob("*")
            if path.suffix in _SUFFIXES
        }
        self._smallest = smallest
        self._ways = {"br": smallest.quick, "gzip": _gzipped}  # the first that a browser takes
        self._bodies: dict[tuple[Path, str], asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        path = self._files.get(scope.get("path", ""))
        encoding = self._encoding(scope) if path else None
        if path is None or encoding is None:
            await self._app(scope, receive, send)
            return
        headers = _HEADERS | {"Content-Encoding": encoding}
        kind = mimetypes.guess_type(path.name)[0]
        await Response(await self._body(path, encoding), headers=headers, media_type=kind)(scope, receive, send)

    def _encoding(self, scope: Scope) -> str | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        headers = Headers(scope=scope)
        if "range" in headers:
            return None
        accepted = {part.split(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}
        return next((each for each in self._ways if each in accepted), None)

    async def _body(self, path: Path, encoding: str) -> bytes:
        if encoding == "br" and (body := self._smallest.get(path)):
            return body
        key = path, encoding
        if key not in self._bodies:
            self._bodies[key] = asyncio.create_task(asyncio.to_thread(self._ways[encoding], path))
        return await asyncio.shield(self._bodies[key])


class TextFiles(StaticFiles):
    """Of a directory nothing but the text files for browsers. The rest, such as Python, is not there for anybody."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file below the directory."""
        return super().lookup_path(path) if Path(path).suffix in _SUFFIXES else ("", None)


def _gzipped(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
