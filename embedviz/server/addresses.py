"""Two filters for addresses: those that are too long are answered with 414, Streamlit's internal paths with 404."""

from collections.abc import Collection

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from embedviz.base import log
from embedviz.base.i18n import _
from embedviz.server.notice import Notice, page
from embedviz.server.sessions import refuse


class Addresses:
    """Middleware that answers 414, with what to do, to an address of more than `most_bytes`."""

    def __init__(self, app: ASGIApp, most_bytes: int, script: str) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._script = script

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        size = _size(scope)
        if size <= self._most_bytes:
            await self._app(scope, receive, send)
            return
        log.refused("address", bytes=size)
        if scope["type"] == "websocket":
            await refuse(scope, receive, send, PlainTextResponse("The address is too long.", 414))
        else:
            await page(self._notice(size), scope, self._script)(scope, receive, send)

    def _notice(self, size: int) -> Notice:
        lines = (
            _(
                "It has {size:,} bytes; {most:,} are the most. The texts of a page stand in its address, and there é "
                "takes 6 of them, and 中 takes 9.",
                size=size,
                most=self._most_bytes,
            ),
            _("Shorten a text in it, or ask whoever gave you the link for a shorter one."),
        )
        return Notice(414, _("This address is too long"), lines, link=("?", _("Open this page with its own texts")))


class Closed:
    """Middleware for which some paths of Streamlit's, and all below them, are not there."""

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        self._app = app
        self._paths = tuple(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404, or pass on."""
        path = scope.get("path", "").rstrip("/")
        closed = scope["type"] == "http" and any(path == each or path.startswith(f"{each}/") for each in self._paths)
        await (Response(status_code=404) if closed else self._app)(scope, receive, send)


def _size(scope: Scope) -> int:
    """Bytes of the path and of what follows it."""
    if scope["type"] not in ("http", "websocket"):
        return 0
    return len(scope.get("raw_path") or scope["path"].encode()) + len(scope.get("query_string", b""))
