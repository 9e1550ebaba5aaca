"""What browsers send: in time, not too large, not all at once, and put right before Streamlit reads it."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from embedviz.base import log
from embedviz.base.i18n import use_language
from embedviz.base.pages import page_at
from embedviz.server.address import for_streamlit
from embedviz.server.languages import language_for
from embedviz.server.middleware import AsgiMiddleware
from embedviz.server.sessions import session_of

SECONDS = 30.0  # in which the first page must be asked for; a browser does it at once
_APART = 0.01  # seconds between two messages in the long run; what comes faster waits in the browser's own buffer
_AT_ONCE = 5  # that need not wait: a message that follows the answer to the one before is no flood
# Whoever develops an app asks for these, and any visitor can. For the first, Streamlit runs git again and again while
# everybody waits, and tells the names of files that are in no commit.
_OF_DEVELOPERS = {"load_git_info", "clear_cache"}


@dataclass(eq=False)
class CheckedMessages(AsgiMiddleware):
    """Middleware that lets Streamlit read addresses by our names, and keeps from it what no page of ours sends.

    most_bytes: of a message; a larger one ends the connection. is_known: whether there is a session of this name.
    Whoever takes one up again has a page, and need not ask for it; whoever else asks for none in time, whatever else
    comes, gives up the place.
    """

    most_bytes: int
    is_known: Callable[[str], bool]

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        until = None if self.is_known(session_of(scope)) else asyncio.get_running_loop().time() + SECONDS
        line = _Connection(receive, send, self.most_bytes, until, Headers(scope=scope).get("accept-language", ""))
        await self.app(scope, line.receive, line.send)


class _Connection:
    """One connection. until: when a page must have been asked for. preferred: languages that the browser prefers."""

    def __init__(self, receive: Receive, send: Send, most_bytes: int, until: float | None, preferred: str) -> None:
        self._receive, self._send, self._most_bytes = receive, send, most_bytes
        self._until, self._preferred = until, preferred
        self._clock = asyncio.get_running_loop().time
        self._free_at, self._is_closed = -math.inf, False

    async def receive(self) -> Message:
        """The next message that is for Streamlit."""
        while (message := self._right(await self._next())) is None:
            pass
        return message

    async def send(self, message: Message) -> None:
        """Pass on, unless the connection was ended here."""
        if not self._is_closed:
            await self._send(message)

    async def _next(self) -> Message:
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            log.refused("idle")
            return await self._end(1013, "No page was asked for.")
        size = len(message.get("bytes") or message.get("text") or b"")
        if size > self._most_bytes:
            log.refused("message", bytes=size)
            return await self._end(1009, f"A message may have {self._most_bytes // 1024:,} KiB at most.")
        if message["type"] == "websocket.receive":
            await asyncio.sleep(max(self._free_at - _AT_ONCE * _APART - self._clock(), 0.0))
            self._free_at = max(self._free_at, self._clock()) + _APART
        return message

    async def _end(self, code: int, reason: str) -> Message:
        """End the connection, and return the message that tells the app so."""
        await self.send({"type": "websocket.close", "code": code, "reason": reason})
        self._is_closed = True
        return {"type": "websocket.disconnect", "code": code}

    def _right(self, message: Message) -> Message | None:
        """The message as Streamlit may read it; None if it is not for us."""
        try:
            said = BackMsg.FromString(message.get("bytes") or b"")
        except DecodeError:  # Streamlit will say so
            return message
        kind = said.WhichOneof("type")
        if kind == "rerun_script":
            self._until = None
            _put_right(said.rerun_script, self._preferred)
        elif kind == "file_urls_request":
            del said.file_urls_request.file_names[1:]  # each address takes the server some time, and a page needs one
        else:
            return None if kind in _OF_DEVELOPERS else message
        return {**message, "bytes": said.SerializeToString()}


def _put_right(asked: ClientState, preferred: str) -> None:
    with use_language(language_for(asked.query_string, preferred)):
        asked.query_string = for_streamlit(page_at(asked.context_info.url), asked.query_string)
    states = asked.widget_states
    known = [each for each in states.widgets if each.id.startswith("$$") and math.isfinite(each.double_value)]
    if len(known) < len(states.widgets):  # what is no control, or a number without end, would fail in each later run
        states.CopyFrom(type(states)(widgets=known))
