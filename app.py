"""The ASGI app: `streamlit run app.py` and `uvicorn app:app` both start it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import plotly
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from embedviz.settings import configured
from embedviz.texts import language
from embedviz.ui import warm_up
from embedviz.ui.component import ASSETS, ASSETS_PATH
from embedviz.ui.head import head_at
from embedviz.ui.plot import PLOTLY_PATH
from embedviz.web import Closed, CompressedFiles, Head, Health, SafeHeaders

PLOTLY = Path(plotly.__file__).parent / "package_data"
health = Health()
STREAMLIT = Path(st.__file__).parent / "static/static"  # its files with a hash in their names


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Make ready before the first visitor comes."""
    warm_up()
    health.is_warm = True
    yield
    health.is_warm = False


async def to_start(request: Request) -> RedirectResponse:
    """The first page lives at the root; its name leads there too."""
    return RedirectResponse(request.url.replace(path=request.url.path.removesuffix("compare")))


app = st.App(
    Path(__file__).resolve().parent / "embedviz/ui/site.py",
    routes=[
        Route("/compare", to_start),
        *health.routes,
        Mount(PLOTLY_PATH, StaticFiles(directory=PLOTLY)),
        Mount(ASSETS_PATH, StaticFiles(directory=ASSETS)),
    ],
    middleware=[
        Middleware(Closed, ["/_stcore/metrics"]),
        Middleware(SafeHeaders, STREAMLIT.parent / "index.html", configured().frame_ancestors),
        Middleware(CompressedFiles, {PLOTLY_PATH: PLOTLY, ASSETS_PATH: ASSETS, "/static": STREAMLIT}),
        Middleware(Head, head_at, language()),
    ],
    lifespan=lifespan,
)
