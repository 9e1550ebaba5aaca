"""How much of the server's time may go into reading what one connection sends.

Everybody waits while it reads. A megabyte of pings, of empty messages or of chunks with one letter each takes seconds,
and no browser sends such things.
"""

import asyncio
import gc
import threading
import time
from typing import Any

from embedviz.base import log

PIECE = 2**12  # bytes that are read at a time; pings in them take 10 ms
_AT_ONCE = 0.05  # seconds that reading may take in excess before the connection is ended: 300 requests at once
_PER_SECOND = 0.02  # seconds for each second that passes: 100 requests of a proxy
_PER_BYTE = 2e-7  # seconds for each byte, so that a large file may come at once; it takes a tenth of it


class _Waste(threading.local):
    """Seconds in which this thread looked for memory that nobody needs any more.

    Python does that now and then, for all connections together, in the middle of somebody's reading: up to 0.3 s.
    """

    seconds = began = 0.0

    def note(self, phase: str, _info: dict) -> None:
        now = time.thread_time()
        if phase == "start":
            self.began = now
        else:
            self.seconds += now - self.began


_waste = _Waste()
gc.callbacks.append(_waste.note)


def _spent() -> float:
    """Seconds of this thread's own work; the clock stands still while other threads run."""
    return time.thread_time() - _waste.seconds


def with_read_limits(protocol: Any) -> type[asyncio.Protocol]:
    """A protocol of uvicorn's, for HTTP or for websockets, that ends a connection whose reading takes too long.

    Any: uvicorn has two of each, which have in common more than their base says.
    """

    class Sparing(protocol):
        _left, _seen = _AT_ONCE, 0.0

        def data_received(self, data: bytes) -> None:
            for start in range(0, len(data), PIECE):
                if self.transport.is_closing() or self not in self.connections:  # or it is a websocket now
                    return
                piece = data[start : start + PIECE]
                began = _spent()
                super().data_received(piece)
                self._take(_spent() - began, len(piece))

        def _take(self, seconds: float, n_bytes: int) -> None:
            now = self.loop.time()
            more = (now - self._seen) * _PER_SECOND + n_bytes * _PER_BYTE
            self._left, self._seen = min(self._left + more, _AT_ONCE) - seconds, now
            if self._left < 0:
                log.refused("effort")
                self.transport.abort()

    return Sparing
