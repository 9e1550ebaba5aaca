"""The ASGI app: `streamlit run app.py` and `uvicorn app:app` both start it."""

from contextlib import asynccontextmanager
from pathlib import Path

import plotly
import streamlit as st
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from embedviz.ui import warm_up
from embedviz.ui.component import ASSETS, ASSETS_PATH
from embedviz.ui.plot import PLOTLY_PATH


@asynccontextmanager
async def lifespan(app: st.App):
    warm_up()
    yield


app = st.App(
    Path(__file__).resolve().parent / "embedviz/ui/site.py",
    routes=[
        Mount(PLOTLY_PATH, StaticFiles(directory=Path(plotly.__file__).parent / "package_data")),
        Mount(ASSETS_PATH, StaticFiles(directory=ASSETS)),
    ],
    lifespan=lifespan,
)
