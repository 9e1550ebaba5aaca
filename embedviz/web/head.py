"""What the site adds to the head of Streamlit's page."""

from collections.abc import Callable
from pathlib import PurePosixPath

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Head:
    """Middleware that puts lines into the head of each HTML page, by its path, and says its language.

    All else goes on as it is.

    No browser keeps such a page without asking: what it would ask by no longer fits, so it is taken out, and so
    is the offer of parts of it.
    """

    def __init__(self, app: ASGIApp, lines: Callable[[str], str], language: str = "en") -> None:
        self._app = app
        self._lines = lines
        self._language = f'<html lang="{language}"'.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and change a page that comes back."""
        if scope["type"] != "http" or scope["method"] != "GET" or PurePosixPath(scope["path"]).suffix:
            await self._app(scope, receive, send)
            return
        started: Message | None = None
        body = b""

        async def changed(message: Message) -> None:
            nonlocal started, body
            if message["type"] == "http.response.start" and _is_page(message):
                started = message
            elif started is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = body.replace(b'<html lang="en"', self._language, 1)
                    page = page.replace(b"<head>", b"<head>\n" + self._lines(scope["path"]).encode(), 1)
                    await send(_start(started, len(page)))
                    await send({"type": "http.response.body", "body": page})

        await self._app(_uncompressed(scope), receive, changed)


def _uncompressed(scope: Scope) -> Scope:
    """The same request for an answer that can be read here."""
    return scope | {"headers": [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]}


def _is_page(message: Message) -> bool:
    return message["status"] == 200 and MutableHeaders(scope=message).get("content-type", "").startswith("text/html")


def _start(message: Message, length: int) -> Message:
    headers = MutableHeaders(scope=message)
    for name in ("etag", "last-modified", "accept-ranges"):
        del headers[name]
    headers["content-length"] = str(length)
    return message
