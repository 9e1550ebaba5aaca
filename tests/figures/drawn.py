"""Figures as Plotly itself takes them, and as the page's scripts do."""

import plotly.graph_objects as go

from embedviz.figures.figure import Figure, LayoutMeta, TraceMeta


def to_plotly(figure: Figure) -> go.Figure:
    """The figure as Plotly's own, which refuses every name and value that Plotly does not know."""
    return go.Figure(data=figure.data, layout=figure.layout)


def assert_declared(figure: Figure) -> None:
    """Fail if the scripts would be told something under a key that nobody has declared."""
    for trace in figure.data:
        undeclared = trace.get("meta", {}).keys() - TraceMeta.__annotations__.keys()
        assert not undeclared, f"{undeclared} in the meta of the trace {trace.get('name')!r}"
    undeclared = figure.layout.get("meta", {}).keys() - LayoutMeta.__annotations__.keys()
    assert not undeclared, f"{undeclared} in the meta of a layout"
