"""How fast one visitor may edit, and how much may come at once, so that others do not notice a flood.

`base/slow_visitors.py` keeps which visitors were slowed down, and `ui/turns.py` reads it there to tell the visitor.
"""

import asyncio
import math
import secrets
import time
from collections import deque
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from embedviz.base import log
from embedviz.base.slow_visitors import HEADER, slowed

_MOST_HELD = 16  # messages that wait here; when there are more, reading stops and the browser's own buffer fills up
_MOST_FULL = 10.0  # seconds in which a line is full again and again; no page sends so much for so long
_REST = 3.0  # seconds without a full line, after which the seconds above are counted from 0 again


class Bucket:
    """As many edits as `at_once`, and `rate` more a second."""

    def __init__(self, rate: float, at_once: int, clock: Callable[[], float]) -> None:
        self._rate, self._most, self._clock = rate, at_once, clock
        self._left, self._seen = float(at_once), clock()

    def take(self) -> float:
        """Take one edit, and return after how many seconds it may be used."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._seen) * self._rate) - 1
        self._seen = now
        return max(-self._left / self._rate, 0.0)


class Pace:
    """Middleware for connections.

    Edits that come faster than `rate` a second wait for each other and go on together. Streamlit then runs the
    page once for all of them, with what the last one says: nothing is lost but pictures in between. A message
    larger than `most_bytes` ends the connection. So does a line that is full for long: what has not been read of it
    would take minutes, and the browser's answers to pings are behind it. A page then connects again by itself, and
    says what its fields hold.
    """

    def __init__(self, app: ASGIApp, rate: float, at_once: int, most_bytes: int) -> None:
        self._app = app
        self._rate, self._at_once, self._most_bytes = rate, at_once, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on at this pace."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        name = secrets.token_hex(8)
        own = [(key, value) for key, value in scope["headers"] if key.lower() != HEADER.lower().encode()]
        scope = scope | {"headers": [*own, (HEADER.lower().encode(), name.encode())]}
        bucket = Bucket(self._rate, self._at_once, asyncio.get_running_loop().time)
        paced = _Paced(name, receive, send, bucket, self._most_bytes)
        try:
            await self._app(scope, paced.receive, paced.send)
        finally:
            slowed.pop(name, None)


class _Paced:
    """One connection."""

    def __init__(self, name: str, receive: Receive, send: Send, bucket: Bucket, most_bytes: int) -> None:
        self._name, self._receive, self._send = name, receive, send
        self._bucket, self._most_bytes = bucket, most_bytes
        self._clock = asyncio.get_running_loop().time
        self._held: deque[Message] = deque()
        self._was_slowed = self._is_closed = False
        self._full_since = self._last_full = -math.inf

    async def receive(self) -> Message:
        """The next message, when its time has come."""
        if self._held:
            return self._held.popleft()
        message = await self._next()
        wait = self._bucket.take() if message["type"] == "websocket.receive" else 0.0
        if not wait:
            return message
        self._held.append(message)
        await self._gather(wait)
        if self._is_flooded():
            log.refused("flood")
            return await self._end(1008, "Too many edits.")
        if len(self._held) > 1 and self._held[-1]["type"] == "websocket.receive":
            self._note()
        return self._held.popleft()

    async def send(self, message: Message) -> None:
        """Pass on, unless the connection was ended here."""
        if not self._is_closed:
            await self._send(message)

    async def _gather(self, seconds: float) -> None:
        """Take what comes in this time, up to what may be held; the end of the connection ends the wait."""
        until = self._clock() + seconds
        n_bytes = _size(self._held[0])
        while (left := until - self._clock()) > 0:
            if len(self._held) >= _MOST_HELD or n_bytes > self._most_bytes:
                await asyncio.sleep(left)
                return
            try:
                message = await asyncio.wait_for(self._next(), left)
            except TimeoutError:
                return
            self._held.append(message)
            n_bytes += _size(message)
            if message["type"] != "websocket.receive":
                return

    async def _next(self) -> Message:
        message = await self._receive()
        if _size(message) <= self._most_bytes:
            return message
        log.refused("message", bytes=_size(message))
        return await self._end(1009, f"A message may have {self._most_bytes // 1024:,} KiB at most.")

    def _is_flooded(self) -> bool:
        if len(self._held) < _MOST_HELD:
            return False
        now = self._clock()
        if now - self._last_full > _REST:
            self._full_since = now
        self._last_full = now
        return now - self._full_since > _MOST_FULL

    async def _end(self, code: int, reason: str) -> Message:
        """End the connection, and return the message that tells the app so."""
        await self.send({"type": "websocket.close", "code": code, "reason": reason})
        self._is_closed = True
        return {"type": "websocket.disconnect", "code": code}

    def _note(self) -> None:
        if not self._was_slowed:  # one line in the log for each visitor, not one for each edit
            log.refused("edits")
        self._was_slowed = True
        slowed[self._name] = time.monotonic()


def _size(message: Message) -> int:
    return len(message.get("bytes") or message.get("text") or b"")
