"""How much of the server's time may go into reading what one connection sends.

Everybody waits while it reads. A megabyte of pings, of empty messages or of chunks with one letter each takes seconds,
and no browser sends such things.
"""

import asyncio
import time

from embedviz.base import log

_PIECE = 2**12  # bytes that are read at a time; pings in them take 10 ms
_AT_ONCE = 0.05  # seconds that reading may take in excess before the connection is ended: 300 requests at once
_PER_SECOND = 0.02  # seconds for each second that passes: 100 requests of a proxy
_PER_BYTE = 2e-7  # seconds for each byte, so that a large file may come at once; it takes a tenth of it


def sparing(protocol: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
    """A protocol of uvicorn's, for HTTP or for websockets, that ends a connection whose reading takes too long."""

    class Sparing(protocol):
        _left, _seen = _AT_ONCE, 0.0

        def data_received(self, data: bytes) -> None:
            for start in range(0, len(data), _PIECE):
                if self.transport.is_closing() or self not in self.connections:  # or it is a websocket now
                    return
                piece = data[start : start + _PIECE]
                began = time.thread_time()  # which stands still while other threads run
                super().data_received(piece)
                self._take(time.thread_time() - began, len(piece))

        def _take(self, seconds: float, n_bytes: int) -> None:
            now = self.loop.time()
            more = (now - self._seen) * _PER_SECOND + n_bytes * _PER_BYTE
            self._left, self._seen = min(self._left + more, _AT_ONCE) - seconds, now
            if self._left < 0:
                log.refused("effort")
                self.transport.abort()

    return Sparing
