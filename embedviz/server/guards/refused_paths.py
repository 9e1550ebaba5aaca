"""Addresses that are refused: those that are too long with 414, Streamlit's internal paths with 404, and its websocket
with 426 if it comes as a plain request.
"""

from dataclasses import dataclass

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from embedviz.base import log
from embedviz.base.i18n import N_, _, translated
from embedviz.server.middleware import AsgiMiddleware
from embedviz.server.notice import Notice, page
from embedviz.server.sessions import refuse

_NOT_UPGRADED = N_("No websocket reaches the server. A proxy in front of it must pass on Upgrade and Connection.")


@dataclass(eq=False)
class TooLong(AsgiMiddleware):
    """Middleware that answers 414, with what to do, to an address of more than `most_bytes`."""

    most_bytes: int
    script: str

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = self._too_long(scope)
        await (page(self._notice(size), scope, self.script) if size else self.app)(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._too_long(scope):
            await refuse(scope, receive, send, PlainTextResponse("The address is too long.", 414))
        else:
            await self.app(scope, receive, send)

    def _too_long(self, scope: Scope) -> int:
        """The bytes of the path and of what follows it, if they are too many, else 0."""
        size = len(scope.get("raw_path") or scope["path"].encode()) + len(scope.get("query_string", b""))
        if size <= self.most_bytes:
            return 0
        log.refused("address", bytes=size)
        return size

    def _notice(self, size: int) -> Notice:
        lines = (
            _(
                "It has {size:,} bytes, and at most {most:,} are allowed. The texts of a page stand in its address, "
                "and there é takes 6 of them, and 中 takes 9.",
                size=size,
                most=self.most_bytes,
            ),
            _("Shorten a text in it, or ask whoever gave you the link for a shorter one."),
        )
        return Notice(414, _("This address is too long"), lines, link=("?", _("Open this page with its default texts")))


@dataclass(eq=False)
class OwnRedirects(AsgiMiddleware):
    """Middleware that answers 404 where a redirect does not begin with ./, ../ or ?, as all of ours do.

    Streamlit's lead from the server's root, where another site may be, or to the name by which somebody calls the
    server. No page needs them.
    """

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_foreign = False

        async def changed(message: Message) -> None:
            nonlocal is_foreign
            if message["type"] == "http.response.start":
                is_foreign = not Headers(raw=message["headers"]).get("location", "./").startswith(("./", "../", "?"))
                if is_foreign:
                    await Response(status_code=404)(scope, receive, send)
            if not is_foreign:
                await send(message)

        await self.app(scope, receive, changed)


class _Closed(StringConvertor):
    """Of Streamlit's paths those that no page needs, and all below them."""

    regex = r"(_stcore/metrics|_stcore/agent|component|auth|oauth2callback)(/[\s\S]*)?"


register_url_convertor("closed", _Closed())
CLOSED = Route("/{path:closed}", Response(status_code=404))


class _Stream(StringConvertor):
    """Where Streamlit's websocket is. A path that begins with _stcore is refused by Streamlit as it is written."""

    regex = "_stcore/stream"


async def _not_upgraded(request: Request) -> PlainTextResponse:
    """A browser's websocket of which a proxy has made a plain request, or a request of somebody else."""
    if "sec-websocket-key" in request.headers:
        log.advise(_NOT_UPGRADED)
    return PlainTextResponse(translated(_NOT_UPGRADED), 426, {"Upgrade": "websocket"})


register_url_convertor("stream", _Stream())
NO_WEBSOCKET = Route("/{path:stream}", _not_upgraded)
