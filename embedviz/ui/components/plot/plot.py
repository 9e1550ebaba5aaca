"""Every figure is drawn by `show`: it is redrawn in its place, and linked with the rest of the page."""

from collections.abc import Callable

import plotly
import streamlit as st

from embedviz.figures.figure import Figure
from embedviz.ui.components.component import component

PLOTLY_PATH = "/assets/plotly"
PLOTLY_FILE = f"{PLOTLY_PATH[1:]}/plotly.min.js?v={plotly.__version__}"

PLOT = component(__name__, isolate_styles=False)  # Plotly puts its style sheet into the document's head


def show(
    fig: Figure, *, key: str, alt: str, height: str, on_pick: Callable[[int, int, int], None] | None = None
) -> None:
    """Draw a figure.

    key: names the place on the page, so that a new figure takes the old one's place without a flash.
    alt: what the figure shows now, for those who cannot see it. height: any CSS length, of which
    projection makes all that the screen has left. on_pick: called after a click, with the number of the trace that was
    hit, and the x and y of the point, if these are whole numbers from 0.
    """
    payload = {"alt": alt, "height": height, "plotly": PLOTLY_FILE, "data": fig.data, "layout": fig.layout}

    def pick() -> None:
        at = st.session_state[f"plot_{key}"].picked
        if on_pick and isinstance(at, list) and len(at) == 3 and all(type(each) is int and each >= 0 for each in at):
            on_pick(*at)

    picks = {"on_picked_change": pick} if on_pick else {}
    PLOT(payload | {"picks": bool(on_pick)}, key=f"plot_{key}", **picks)
