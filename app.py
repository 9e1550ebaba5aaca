"""The ASGI app: `uvicorn app:app` and `streamlit run app.py` both start it."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from embedviz.base import environment_checks
from embedviz.base.i18n import own_names
from embedviz.base.settings import configured, place
from embedviz.teaching.lessons import lessons

try:
    settings = configured()
    environment_checks.check()
    own_names()  # reads every translation, so that a damaged one is met now
    lessons()
except ValueError as error:  # a wrong setting, translation or lesson is said in its own words, without a traceback
    sys.exit(str(error))
from embedviz.base import log, metrics
from embedviz.base.errors import EmbedvizError
from embedviz.server import lifecycle, votes
from embedviz.server.guards.headers import SafeHeaders
from embedviz.server.guards.incoming import CheckedMessages
from embedviz.server.guards.origins import Origins
from embedviz.server.guards.refused_paths import CLOSED, NO_WEBSOCKET, OwnRedirects, TooLong
from embedviz.server.guards.timeouts import Pieces
from embedviz.server.guards.uploads import Uploads
from embedviz.server.html import head, sheets
from embedviz.server.languages import Languages
from embedviz.server.prefix import Prefix
from embedviz.server.sessions import Places, Sessions
from embedviz.server.static_files import CompressedFiles, TextFiles
from embedviz.server.streamlit_inside import is_known
from embedviz.server.warm_up import warm_up
from embedviz.ui.components.component import ASSETS, ASSETS_PATH
from embedviz.ui.components.plot.plot import PLOTLY_PATH
from embedviz.ui.components.standalone import PLOTLY

STREAMLIT = head.INDEX.with_name("static")  # its files with a hash in their names
MOST_FILES = 50  # of the largest that a visitor may bring along, for all visitors together
AGAIN = f"{ASSETS_PATH[1:]}/embedviz/ui/assets/page/again.js"

began = time.monotonic()
prefix = lifecycle.set_up()
places = Places(settings.sessions, is_known)
health = lifecycle.Health(places)
stop = lifecycle.Stop(places, settings.stop_seconds)
metrics.sessions.set_function(lambda: places.n_open)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Make ready before the first visitor comes."""
    try:
        warm_up()
    except EmbedvizError as error:
        log.event("cannot start", logging.ERROR, reason=str(error))
        raise
    except Exception as error:
        log.failed(error)
        raise
    try:
        metrics.serve()
    except OSError as error:
        host, port, reason = settings.metrics_host, settings.metrics_port, error.strerror
        log.event("EMBEDVIZ_METRICS_PORT cannot be used", logging.ERROR, port=port, host=host, reason=reason)
        raise
    lifecycle.be_patient()
    stop.listen()
    health.is_warm = True
    log.event("ready", seconds=round(time.monotonic() - began, 2))
    ending = asyncio.create_task(lifecycle.end_sessions())
    yield
    ending.cancel()
    health.is_warm = False
    stop.end()


async def to_start(request: Request) -> RedirectResponse:
    """The first page lives at the root; its name leads there too, under whatever name the visitor calls the server."""
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse("./" + (f"?{query}" if query else ""))


app = st.App(
    place("embedviz/ui/site.py"),
    routes=[
        Route("/compare", to_start),
        CLOSED,
        NO_WEBSOCKET,
        *health.routes,
        Mount(PLOTLY_PATH, StaticFiles(directory=PLOTLY)),
        *(Mount(path, TextFiles(directory=folder)) for path, folder in ASSETS.items()),
        *sheets.ROUTES,
        *votes.ROUTES,
        *head.ROUTES,
    ],
    middleware=[
        Middleware(Prefix, prefix),
        Middleware(Pieces),
        Middleware(Languages),
        Middleware(SafeHeaders, head.INSIDE, settings.frame_ancestors),
        Middleware(Origins, settings.hosts),
        Middleware(TooLong, settings.address_kib * 1024, AGAIN),
        Middleware(OwnRedirects),
        Middleware(Sessions, places, settings.retry_seconds, AGAIN),
        Middleware(CheckedMessages, settings.message_kib * 1024, is_known),
        Middleware(Uploads, MOST_FILES * settings.upload_mb * 1_000_000),
        Middleware(CompressedFiles, {PLOTLY_PATH: PLOTLY, "/static": STREAMLIT} | ASSETS),
    ],
    lifespan=lifespan,
    on_script_error=log.failed,
)
