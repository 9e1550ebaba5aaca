"""Figures as Plotly itself takes them."""

import plotly.graph_objects as go

from embedviz.figures.figure import Figure


def to_plotly(figure: Figure) -> go.Figure:
    """The figure as Plotly's own, which refuses every name and value that Plotly does not know."""
    return go.Figure(data=figure.data, layout=figure.layout)
