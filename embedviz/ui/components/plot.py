"""Every figure is drawn by `show`: it is redrawn in its place, and linked with the rest of the page."""

import plotly

from embedviz.base.i18n import N_
from embedviz.figures.theme import Figure
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

PLOTLY_PATH = "/assets/plotly"
PLOTLY_FILE = f"{PLOTLY_PATH[1:]}/plotly.min.js?v={plotly.__version__}"

_PLOT = component(
    "plot/plot",
    html="""
<div class="ev-frame">
  <div class="ev-plot" role="img" data-waits></div>
  <button type="button" class="ev-reset" hidden>{reset}</button>
</div>
""",
    reset=N_("Reset the view"),
    css="""
.ev-frame { position: relative; min-width: 0; }
.ev-plot { width: 100%; min-width: 0; touch-action: pan-x pan-y; }
.ev-reset { position: absolute; right: 0.3rem; bottom: 0.3rem; padding: 0.2rem 0.7rem; font: inherit; font-size: 0.9rem;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: 0.45rem; cursor: pointer; }
.ev-reset[hidden] { display: none; }
.ev-reset:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.ev-plot .js-plotly-plot, .ev-plot .plot-container { width: 100%; height: 100%; }
/* Plotly writes on pale cells in a grey that the back row cannot read. */
.ev-plot .heatmap-label text[style*="rgb(68, 68, 68)"] { fill: #0f1218 !important; }
""",
    isolate_styles=False,  # Plotly puts its style sheet into the document's head
)


def show(fig: Figure, *, key: str, alt: str, height: str) -> None:
    """Draw a figure.

    key: names the place on the page, so that a new figure takes the old one's place without a flash.
    alt: what the figure shows now, for those who cannot see it. height: any CSS length, of which
    projection makes all that the screen has left.
    """
    payload = {"alt": alt, "height": height, "plotly": PLOTLY_FILE, "data": fig.data, "layout": fig.layout}
    _PLOT(data=pack(payload), key=f"plot_{key}")
