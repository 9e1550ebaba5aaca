"""Files that never change under their address: compressed once, and kept by browsers for a year.

The package servestatic is not used, because it would write the compressed copies into the folders of Plotly and
Streamlit themselves.
"""

import asyncio
import gzip
import mimetypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from embedviz.server.middleware import AsgiMiddleware

_SUFFIXES = {".js", ".mjs", ".css", ".svg", ".ttf"}
mimetypes.add_type("text/javascript", ".js")  # Windows asks its registry, where programs write what they like
_HEADERS = {"Vary": "Accept-Encoding", "Cache-Control": "public, max-age=31536000, immutable"}
_ENCODINGS = ("br", "gzip")  # the first that a browser takes


@dataclass(eq=False)
class CompressedFiles(AsgiMiddleware):
    """Middleware that answers for the text files below some directories, each compressed when it is first asked for."""

    directories: Mapping[str, Path]

    def __post_init__(self) -> None:
        self._files = {
            f"{start}/{path.relative_to(directory).as_posix()}": path
            for start, directory in self.directories.items()
            for path in directory.rglob("*")
            if path.suffix in _SUFFIXES
        }
        self._bodies: dict[tuple[Path, str], asyncio.Task[bytes]] = {}

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = self._files.get(scope["path"])
        encoding = self._encoding(scope) if path else None
        if path is None or encoding is None:
            await self.app(scope, receive, send)
            return
        headers = _HEADERS | {"Content-Encoding": encoding}
        kind = mimetypes.guess_type(path.name)[0]
        await Response(await self._body(path, encoding), headers=headers, media_type=kind)(scope, receive, send)

    def _encoding(self, scope: Scope) -> str | None:
        if scope["method"] not in ("GET", "HEAD"):
            return None
        headers = Headers(scope=scope)
        if "range" in headers:
            return None
        accepted = {part.split(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}
        return next((each for each in _ENCODINGS if each in accepted), None)

    async def _body(self, path: Path, encoding: str) -> bytes:
        key = path, encoding
        if key not in self._bodies:
            self._bodies[key] = asyncio.create_task(asyncio.to_thread(_small, path, encoding))
        return await asyncio.shield(self._bodies[key])


class TextFiles(StaticFiles):
    """Of a directory nothing but the files for browsers. The rest, such as Python, is not there for anybody."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file below the directory."""
        return super().lookup_path(path) if Path(path).suffix in _SUFFIXES | {".png", ".woff2"} else ("", None)


def _small(path: Path, encoding: str) -> bytes:
    text = path.read_bytes()
    # Quality 5 takes as long as gzip does, and is smaller. The best takes ten seconds for Plotly.
    return brotli.compress(text, quality=5) if encoding == "br" else gzip.compress(text, mtime=0)
