"""Files that never change under their address: compressed once, and kept by browsers for a year."""

import asyncio
import gzip
import mimetypes
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_SUFFIXES = {".js", ".mjs", ".css", ".svg", ".ttf"}
_HEADERS = {
    "Content-Encoding": "gzip",
    "Vary": "Accept-Encoding",
    "Cache-Control": "public, max-age=31536000, immutable",
}


class CompressedFiles:
    """Middleware that answers for the text files below some directories; all else goes on to the app.

    directories: from the start of an address to the directory whose files lie there. The files are
    listed once, so that no address leads anywhere else. A file is compressed when first asked for, once
    for all who ask meanwhile.
    """

    def __init__(self, app: ASGIApp, directories: Mapping[str, Path]) -> None:
        self._app = app
        self._files = {
            f"{start}/{path.relative_to(directory).as_posix()}": path
            for start, directory in directories.items()
            for path in directory.rglob("*")
            if path.suffix in _SUFFIXES
        }
        self._bodies: dict[Path, asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        path = self._files.get(scope.get("path", "")) if _may_be_compressed(scope) else None
        if path is None:
            await self._app(scope, receive, send)
        else:
            kind = mimetypes.guess_type(path.name)[0]
            await Response(await self._body(path), headers=_HEADERS, media_type=kind)(scope, receive, send)

    async def _body(self, path: Path) -> bytes:
        if path not in self._bodies:
            self._bodies[path] = asyncio.create_task(asyncio.to_thread(_compressed, path))
        return await asyncio.shield(self._bodies[path])


def _may_be_compressed(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    headers = Headers(scope=scope)
    accepted = [part.split(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")]
    return "gzip" in accepted and "range" not in headers


def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
