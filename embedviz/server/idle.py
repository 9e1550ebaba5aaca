"""Who is connected and never asks for a page gives up the place."""

import asyncio
from collections.abc import Callable

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from embedviz.base import log
from embedviz.server.sessions import session_of

SECONDS = 30.0  # in which the first page must be asked for; a browser does it at once


class Idle:
    """Middleware that ends a connection on which no page is asked for in time, whatever else comes on it.

    is_known: whether there is a session of this name. Whoever takes one up again has a page, and need not ask for it.
    """

    def __init__(self, app: ASGIApp, is_known: Callable[[str], bool]) -> None:
        self._app = app
        self._is_known = is_known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and watch what comes first."""
        if scope["type"] == "websocket" and not self._is_known(session_of(scope)):
            receive = _until_asked(receive, send)
        await self._app(scope, receive, send)


def _until_asked(receive: Receive, send: Send) -> Receive:
    clock = asyncio.get_running_loop().time
    until = clock() + SECONDS
    has_asked = False

    async def watched() -> Message:
        nonlocal has_asked
        if has_asked:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), until - clock())
        except TimeoutError:
            log.refused("idle")
            await send({"type": "websocket.close", "code": 1013, "reason": "No page was asked for."})
            return {"type": "websocket.disconnect", "code": 1013}
        has_asked = _asks(message)
        return message

    return watched


def _asks(message: Message) -> bool:
    """Whether this is what Streamlit's page sends to have its script run."""
    try:
        return BackMsg.FromString(message.get("bytes") or b"").HasField("rerun_script")
    except DecodeError:
        return False
