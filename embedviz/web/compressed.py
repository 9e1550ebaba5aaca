"""Files that never change under their address: compressed once, and kept by browsers for a year."""

import asyncio
import gzip
import mimetypes
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from embedviz.web.smallest import Smallest

_SUFFIXES = {".js", ".mjs", ".css", ".svg", ".ttf"}
_HEADERS = {"Vary": "Accept-Encoding", "Cache-Control": "public, max-age=31536000, immutable"}


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


def _gzipped(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
