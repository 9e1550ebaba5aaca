"""Colours by role, the font, and the parts of a layout that every figure shares."""

from collections.abc import Iterable

from embedviz.figures.figure import Figure

FONT = "'Source Sans', sans-serif"
NO_EXTRA = "<extra></extra>"  # ends a label at the pointer: no box with the trace's name beside it
INK, FAINT, GRID, SURFACE = "var(--ink)", "var(--faint)", "var(--grid)", "var(--surface)"
N_TOKEN_COLOURS = 8
DIVERGING = [
    *([i / 10, f"var(--diverging-{i})"] for i in range(5)),
    [0.5, SURFACE],
    *([i / 10 + 0.1, f"var(--diverging-{i})"] for i in range(5, 10)),
]
SEQUENTIAL = [[i / 9, f"var(--sequential-{i})"] for i in range(10)]


def token_colours(ids: Iterable[int]) -> dict[int, str]:
    """One colour role for each ID, in order of first appearance, so that neighbours differ."""
    return {id_: f"var(--token-{n % N_TOKEN_COLOURS})" for n, id_ in enumerate(dict.fromkeys(ids))}


def figure(traces: list[dict], **layout: object) -> Figure:
    """A figure in the house style."""
    base = {
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"font": {"family": FONT, "size": 14, "color": INK}, "bgcolor": SURFACE},
        "showlegend": False,
        "dragmode": False,
    }
    return Figure(traces, base | layout)


def heading(text: str, x: float, y: float = 1.0, **more: object) -> dict:
    """A heading above a panel, as an annotation in paper coordinates."""
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "showarrow": False,
        "yanchor": "bottom", "font": {"size": 15}, **more,
    }  # fmt: skip
