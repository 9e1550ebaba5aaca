"""A stop that lets open runs finish."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from types import FrameType

import uvicorn

from embedviz import log
from embedviz.web.places import Places

_TICK = 0.05
_QUIET = 6  # ticks without a run, in which the last one's pictures are sent
_CLOSING = 3  # seconds in which connections must be closed once nothing runs any more
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Takes the place of the server's own answer to SIGTERM and Ctrl+C.

    The first signal: nobody new comes in, and the server ends with 0 as soon as nothing runs, at the latest after
    `seconds`. The second: it ends at once. n_open: each tells how many runs of its kind are open. at_end: what
    ends other processes.
    """

    def __init__(
        self, places: Places, seconds: float, n_open: Sequence[Callable[[], int]], at_end: Sequence[Callable[[], None]]
    ) -> None:
        self._places, self._seconds, self._n_open, self._at_end = places, seconds, n_open, at_end
        self._task: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """From now on; called on the server's event loop, in the main thread, with its own handlers in place."""
        loop = asyncio.get_running_loop()
        server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)

        def handle(number: int, _: FrameType | None) -> None:
            if self._places.is_stopping:
                self.end()
                os._exit(128 + number)
            self._places.is_stopping = True
            loop.call_soon_threadsafe(self._begin, server)

        if isinstance(server, uvicorn.Server):  # else whoever runs this server stops it in a way of its own
            for each in SIGNALS:
                signal.signal(each, handle)

    def end(self) -> None:
        """End the processes that this one has started."""
        for each in self._at_end:
            each()

    def _begin(self, server: uvicorn.Server) -> None:
        self._task = asyncio.create_task(self._finish(server))

    async def _finish(self, server: uvicorn.Server) -> None:
        began = time.monotonic()
        log.event("stopping", sessions=self._places.n_open, open=self._open())
        quiet = 0
        while quiet < _QUIET and time.monotonic() - began < self._seconds:
            await asyncio.sleep(_TICK)
            quiet = 0 if self._open() else quiet + 1
        log.event("stopped", seconds=round(time.monotonic() - began, 2), open=self._open())
        # Not by its handler, which ends the process by the signal itself: a stop that went well is a 0.
        server.config.timeout_graceful_shutdown = _CLOSING
        server.should_exit = True

    def _open(self) -> int:
        return sum(each() for each in self._n_open)
