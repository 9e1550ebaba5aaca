"""All drawing goes through `show`: one figure, redrawn in place, linked with the rest of the page."""

import plotly

from embedviz.figures.figure import Figure
from embedviz.ui.component import component
from embedviz.ui.payload import pack

PLOTLY_PATH = "/assets/plotly"
PLOTLY_FILE = f"{PLOTLY_PATH[1:]}/plotly.min.js?v={plotly.__version__}"

_PLOT = component(
    "plot",
    html='<div class="ev-plot" role="img"></div>',
    css="""
.ev-plot { width: 100%; min-width: 0; }
.ev-plot .js-plotly-plot, .ev-plot .plot-container { width: 100%; height: 100%; }
""",
    isolate_styles=False,  # Plotly puts its style sheet into the document's head
)


def show(fig: Figure, *, key: str, alt: str, height: str) -> None:
    """Draw a figure.

    key: names the place on the page, so that a new figure takes the old one's place without a flash.
    alt: what the figure shows now, for those who cannot see it. height: any CSS length.
    """
    payload = {"alt": alt, "height": height, "plotly": PLOTLY_FILE, "data": fig.data, "layout": fig.layout}
    _PLOT(data=pack(payload), key=key)
