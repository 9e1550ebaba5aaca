"""The life of a server: what it sets up, how it says that it is alive and ready, and a stop that lets runs finish."""

import asyncio
import gc
import logging
import os
import signal
import time
from types import FrameType

import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz import __version__
from embedviz.base import i18n, log, metrics
from embedviz.base.settings import configured
from embedviz.layers import model_queue
from embedviz.server import languages, streamlit_inside
from embedviz.server.guards.read_limits import with_read_limits
from embedviz.server.guards.timeouts import Timeouts, with_timeouts
from embedviz.server.sessions import Places
from embedviz.server.streamlit_inside.replaced import replace
from embedviz.server.warm_up import files_at_most
from embedviz.training.queue import runs as trainings
from embedviz.ui import turns

_TICK = 0.05
_QUIET = 6  # ticks without a run, in which the pictures of the last run are sent
_CLOSING = 3  # seconds in which connections must be closed once nothing runs any more
GONE_FOR = 60.0  # seconds in which a visitor whose connection broke finds everything as it was
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def set_up() -> str:
    """Before the server starts: hand over settings, begin the log, name what is measured.

    Returns the prefix that all paths have, if a proxy keeps one.
    """
    given = streamlit_inside.take_settings()
    log.set_up()
    replace()
    i18n.set_language_provider(languages.of_the_run)
    metrics.open_runs.set_function(turns.n_open)
    metrics.queue.labels("training").set_function(lambda: sum(trainings.count()))
    metrics.queue.labels("layers").set_function(model_queue.count)
    settings = {name: str(value) for name, value in configured().model_dump().items()}
    log.event("starts", version=__version__, settings=settings)
    if given.left_out:
        log.event("these options of Streamlit do not count here", logging.WARNING, options=given.left_out)
    return given.prefix


def running_server() -> uvicorn.Server | None:
    """The server in this process, which answers to SIGTERM; None if another program runs the app."""
    found = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return found if isinstance(found, uvicorn.Server) else None


def be_patient() -> None:
    """Bound how long and for how many clients the server waits, and what it reads; called before it takes the first.

    A quarter of the files that the process may open is for clients that it waits for, and a quarter for those that
    asyncio lets in at a time, before anybody can count them.
    """
    if server := running_server():
        most = files_at_most() // 4
        server.config.backlog = min(server.config.backlog, most)
        server.config.http_protocol_class = with_timeouts(
            with_read_limits(server.config.http_protocol_class), Timeouts(most)
        )
        server.config.ws_protocol_class = with_read_limits(server.config.ws_protocol_class)
        # Twice what `Messages` lets through, so that it says why. uvicorn's own 16 MiB are kept for each half message.
        server.config.ws_max_size = 2 * configured().message_kib * 1024


class Health:
    """The answers to two questions of whoever runs the server: is it alive, and may new visitors come?

    `is_warm` is set once the first page will come at once. A server that is full still answers that it is ready. If it
    did not, the balancer would take it out of the row, and the visitors who are connected would lose it. It tells
    new visitors itself that it is full, with status 503, and then the balancer may ask another server.
    """

    def __init__(self, places: Places) -> None:
        self.is_warm = False
        self._places = places

    @property
    def routes(self) -> list[Route]:
        """`/healthz`: 200 as long as the process answers. `/readyz`: 200 when warm, 503 before, and when stopping."""
        return [Route("/healthz", PlainTextResponse("alive"), methods=["GET"]), Route("/readyz", self._ready)]

    async def _ready(self, _: Request) -> PlainTextResponse:
        if self._places.is_stopping:
            return PlainTextResponse("stopping", 503)
        return PlainTextResponse("ready") if self.is_warm else PlainTextResponse("warming up", 503)


async def end_sessions(gone_for: float = GONE_FOR) -> None:
    """End each session whose visitor has been gone for so many seconds. Streamlit waits until another one leaves.

    A session's objects hold each other, and Python's own search for such waste comes when many objects are new, not
    when few of them are large. So it is called here; with 120 visitors it takes some 20 ms.
    """
    since: dict[str, float] = {}
    has_ended, collected = False, 0.0
    while True:
        await asyncio.sleep(gone_for / 20)
        now = time.monotonic()
        since = {session: since.get(session, now) for session in streamlit_inside.left()}
        for session in [each for each, when in since.items() if now - when >= gone_for]:
            streamlit_inside.end(session)
            has_ended = True
        if has_ended and now - collected >= gone_for / 10:
            gc.collect()
            has_ended, collected = False, now


class Stop:
    """Takes the place of the server's own answer to SIGTERM and Ctrl+C.

    The first signal: nobody new comes in, and the server ends with 0 as soon as nothing runs, at the latest after
    `seconds`. The second: it ends at once.
    """

    def __init__(self, places: Places, seconds: float) -> None:
        self._places, self._seconds = places, seconds

    def listen(self) -> None:
        """From now on; called on the server's event loop, in the main thread, with its own handlers in place."""
        loop, server = asyncio.get_running_loop(), running_server()
        if not server:  # another program runs the app, and stops it in its own way
            return

        def handle(number: int, _: FrameType | None) -> None:
            if self._places.is_stopping:
                self.end()
                os._exit(128 + number)
            self._places.is_stopping = True
            asyncio.run_coroutine_threadsafe(self._finish(server), loop)

        for each in _SIGNALS:
            signal.signal(each, handle)

    def end(self) -> None:
        """End the processes that this one has started."""
        trainings.close()

    async def _finish(self, server: uvicorn.Server) -> None:
        clock = asyncio.get_running_loop().time
        began = clock()
        log.event("stopping", sessions=self._places.n_open, open=_n_open())
        quiet = 0
        while quiet < _QUIET and clock() - began < self._seconds:
            await asyncio.sleep(_TICK)
            quiet = 0 if _n_open() else quiet + 1
        log.event("stopped", seconds=round(clock() - began, 2), open=_n_open())
        # uvicorn's handler is not used: it ends the process by the signal itself, but a good stop must end with 0.
        server.config.timeout_graceful_shutdown = _CLOSING
        server.should_exit = True


def _n_open() -> int:
    """How many pages and trainings run."""
    return turns.n_open() + trainings.count()[0]
