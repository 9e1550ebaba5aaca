"""How long the server waits for a client, and for how many at a time.

uvicorn by itself waits without end for the rest of a request that has begun, and keeps each such connection open. With
as many of them as the process may open files, nobody else comes in.
"""

import asyncio
import socket
from dataclasses import dataclass
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from embedviz.base import log
from embedviz.server.middleware import AsgiMiddleware

_HEAD = 10.0  # seconds for all of a request's head
_REST = 60.0  # seconds in which more of a request must come, or more of an answer must be taken
_PIECE = 2**16  # bytes of an answer that are handed over at a time; the next ones when half of them are taken


class Timeouts:
    """The connections that wait for their clients. Beyond `most` of them, those that have waited longest are closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ends: dict[asyncio.Protocol, asyncio.TimerHandle] = {}  # in the order in which the waits began

    def wait(self, connection: asyncio.Protocol, seconds: float) -> None:
        """From now on this connection waits, so long at most; among the others it keeps the place that it has."""
        if before := self._ends.get(connection):
            before.cancel()
        self._ends[connection] = asyncio.get_running_loop().call_later(seconds, self._close, connection)
        while len(self._ends) > self._most:
            self._close(next(iter(self._ends)))

    def forget(self, connection: asyncio.Protocol) -> None:
        """It has what it waited for."""
        if end := self._ends.pop(connection, None):
            end.cancel()

    def _close(self, connection: Any) -> None:
        self.forget(connection)
        log.refused("waiting")
        connection.transport.abort()  # an orderly end would wait for this client as well


def with_timeouts(protocol: Any, patience: Timeouts) -> type[asyncio.Protocol]:
    """A protocol of uvicorn's for HTTP with this patience. What becomes a websocket is left to `Places`.

    Any: uvicorn has two of them, which have in common more than their base says.
    """

    class Patient(protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            transport.set_write_buffer_limits(_PIECE // 2)
            _limit_unread(transport)
            # A busy server has not read yet what came along with the connection. The loop does so in its next round.
            self.loop.call_soon(self.loop.call_soon, self._begin)

        def _begin(self) -> None:
            if self in self.connections and self.cycle is None:
                patience.wait(self, _HEAD)

        def connection_lost(self, error: Exception | None) -> None:
            super().connection_lost(error)
            patience.forget(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            patience.wait(self, _REST)
            super().on_response_complete()  # which begins the next request, if that has come already
            self._look()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._look()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._look()

        def _look(self) -> None:
            """Wait for the client, unless it is the server's turn. The wait for a head goes on as it began."""
            is_ours = self._is_asked and not self.cycle.more_body and not self.flow.write_paused
            if is_ours or self not in self.connections:  # or it is a websocket now
                patience.forget(self)
            elif self._is_asked:
                patience.wait(self, _REST)

        @property
        def _is_asked(self) -> bool:
            """Whether the server has a request that it has not answered yet."""
            return self.cycle is not None and not self.cycle.response_complete

    return Patient


def _limit_unread(transport: asyncio.Transport) -> None:
    """Let the system end a connection whose client takes nothing; the server's own end would wait for the client."""
    found = transport.get_extra_info("socket")
    if found and found.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(_REST * 1000))


@dataclass(eq=False)
class Pieces(AsgiMiddleware):
    """Middleware that hands an answer over in pieces. A whole one, of a megabyte, would be copied for each client."""

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def in_pieces(message: Message) -> None:
            body = message.get("body", b"")
            last = max(len(body) - 1, 0) // _PIECE * _PIECE
            for start in range(0, last, _PIECE):
                await send({**message, "body": body[start : start + _PIECE], "more_body": True})
                await asyncio.sleep(0)  # others come between two pieces
            await send({**message, "body": body[last:]} if last else message)

        await self.app(scope, receive, in_pieces)
