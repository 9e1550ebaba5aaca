"""What every figure shares: colours by role, the font, scales, and the kinds of traces."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from embedviz.base.i18n import _, numeral

FONT = "'Source Sans', sans-serif"
NO_EXTRA = "<extra></extra>"  # ends a hover label, so that no box with the trace's name stands beside it
INK, FAINT, GRID, SURFACE = "var(--ink)", "var(--faint)", "var(--grid)", "var(--surface)"
N_TOKEN_COLOURS = 8
# What each colour means, and the colour of .streamlit/config.toml that it is. Every picture, page and script says the
# meaning, such as `var(--kind-add)`; `--token-N` is said of tokens alone. One meaning has one colour on all pages, and
# meanings that stand in one picture can be told apart by everyone (tests/figures/test_theme.py).
COLOURS = {
    # Kinds of position schemes. "state": layers that only keep a state. "mixed": RoPE, but not in all layers.
    "kind-add": "token-2", "kind-rotate": "token-0", "kind-bias": "token-1", "kind-relative": "token-7",
    "kind-none": "token-3", "kind-state": "token-4", "kind-mixed": "token-6",
    # Biases of a head over the distance. Those that fall do as ALiBi's do.
    "falls": "token-1", "rises": "ink", "neither": "faint",
    # Two things of one kind that are compared: these have no colour of a token or of a kind.
    "query": "sequential-7", "key": "ink",
    "first-position": "sequential-7", "second-position": "ink",
    "straight-line": "sequential-7", "network": "diverging-8",
    # RoPE's angles: those that training had are RoPE's own.
    "known-angle": "token-0", "new-angle": "diverging-8",
    "held-out": "sequential-7",
    # Classes of words or tokens, in the order of their legend.
    **{f"class-{n}": f"token-{n}" for n in range(N_TOKEN_COLOURS)},
}  # fmt: skip
KIND_COLOURS = {role.removeprefix("kind-"): f"var(--{role})" for role in COLOURS if role.startswith("kind-")}
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon2")  # one for each of them
DIVERGING = [  # pair_strips.js draws the same scale
    *([i / 10, f"var(--diverging-{i})"] for i in range(5)),
    [0.5, SURFACE],
    *([i / 10 + 0.1, f"var(--diverging-{i})"] for i in range(5, 10)),
]
SEQUENTIAL = [[i / 9, f"var(--sequential-{i})"] for i in range(10)]
PERCENTILE = 99.0  # percentile of |value| at which the colours end: the few larger values would make the rest pale


def token_colours(ids: Iterable[int]) -> dict[int, str]:
    """One colour role for each ID, in order of first appearance, so that neighbours differ."""
    return {id_: f"var(--token-{colour})" for id_, (colour, _again) in token_marks(ids).items()}


def token_marks(ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """The number of each ID's colour, and the round of colours that it belongs to. Each round has its own mark."""
    return {id_: (n % N_TOKEN_COLOURS, n // N_TOKEN_COLOURS) for n, id_ in enumerate(dict.fromkeys(ids))}


def class_colour(n: int) -> str:
    """The colour role of the class that is number n of its legend."""
    return f"var(--class-{n % N_TOKEN_COLOURS})"


def role_sheet() -> str:
    """The style of a document whose scripts draw: what each colour means, as `theme.js` reads it."""
    return f":root {{ --ev-roles: {', '.join(f'{role} {colour}' for role, colour in COLOURS.items())}; }}"


def coloured(text: str, colour: str) -> str:
    """A literal text in a colour."""
    return f'<span style="color:{colour}">{text}</span>'


def axis(title: str = "", *, grid: bool = True, **options: Any) -> dict:
    """An axis that stays as it is. title: what stands beside it. options: as Plotly knows them."""
    defaults = {"fixedrange": True, "zeroline": False, "showgrid": grid, "gridcolor": GRID}
    named = {"title": {"text": title, "standoff": 4, "font": {"size": 13, "color": FAINT}}} if title else {}
    return defaults | named | options


def component_axis(n: int, share: float, span: Sequence[float], **options: Any) -> dict:
    """An axis of a map: principal component n, from 0, with its share of the variance. span: where it ends."""
    text = _("PC {n} ({share:.0%} of the variance)", n=n + 1, share=share)
    short = _("PC {n} ({share:.0%})", n=n + 1, share=share)
    return axis(text, grid=False, short=short, range=span, showticklabels=False, ticks="", **options)


def coordinates(points: np.ndarray) -> dict[str, np.ndarray]:
    """Split float32 points (..., 2) into one contiguous array for each axis, which is sent as it lies in memory."""
    return {axis: np.ascontiguousarray(points[..., n]) for n, axis in enumerate("xy")}


def across(y: float, **look: Any) -> dict:
    """A line across a panel at a height of its axis. look: its "line", and what else Plotly knows."""
    return {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": y, "y1": y, **look}


def upright(x: float, **look: Any) -> dict:
    """A line from the lower edge of a panel to the upper one."""
    return {"type": "line", "xref": "x", "x0": x, "x1": x, "yref": "y domain", "y0": 0, "y1": 1, **look}


def legend(**options: Any) -> dict:
    """A layout with a legend, by default in a line above the picture. options: as Plotly knows them."""
    defaults = {
        "orientation": "h", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "font": {"size": 13},
        "bgcolor": "rgba(0,0,0,0)", "itemwidth": 30, "itemclick": False, "itemdoubleclick": False,
    }  # fmt: skip
    return {"showlegend": True, "legend": defaults | options}


def diverging(limit: float, **bar: Any) -> dict:
    """The colour scale of a picture whose numbers lie around zero: from -limit to limit."""
    return {"cmin": -limit, "cmax": limit, "cmid": 0, "colorscale": DIVERGING, **bar}


def around_zero(limit: float, digits: int = 3, beyond: str = "≤≥", *, paler: float = 1.0) -> dict:
    """The same with its bar, whose ticks are those of `from_zero`. paler: how far beyond the limit the colours end."""
    return diverging(paler * limit, colorbar=colour_bar(**from_zero(paler * limit, digits, beyond)))


def sequential(limit: float, **bar: Any) -> dict:
    """The colour scale of a picture whose numbers go from zero to `limit`. Its bar ends at its last tick."""
    ticks = {"tickvals": [0, limit / 2, limit], "ticktext": ["0", numeral(limit / 2, ".3g"), numeral(limit, ".3g")]}
    return {"cmin": 0, "cmax": limit, "colorscale": SEQUENTIAL, "colorbar": colour_bar(**ticks), **bar}


def scale_of(tables: Iterable[np.ndarray], limit: float, digits: int = 3, *, paler: float = 1.0) -> dict:
    """The colour scale of these numbers with its bar: around zero if some are negative, else from zero to `limit`."""
    if any(float(np.nanmin(table, initial=0)) < 0 for table in tables):
        return around_zero(limit, digits, "", paler=paler)
    return sequential(paler * limit)


def limit_of(*tables: np.ndarray) -> float:
    """The limit at which the colours of these numbers end, on both sides of zero."""
    numbers = np.abs(np.concatenate([np.ravel(table) for table in tables]))
    return float(np.nanpercentile(numbers, PERCENTILE)) or 1.0 if numbers.size else 1.0


def colour_bar(**options: Any) -> dict:
    """The bar that explains the colours of a panel. The page puts it at the panel's side."""
    return {"thickness": 9, "outlinewidth": 0, "xpad": 0, "len": 1, **options}


def from_zero(limit: float, digits: int = 3, beyond: str = "≤≥") -> dict:
    """The ticks of a bar from -limit to limit. beyond: the signs for numbers beyond, which have the same colours."""
    low, high = (f"{sign} " for sign in beyond) if beyond else ("", "")
    most = numeral(limit, f".{digits}g")
    return {"tickvals": [-limit, 0, limit], "ticktext": [f"{low}−{most}", "0", f"{high}{most}"]}


def heatmap(name: str, values: np.ndarray, hover: str, scale: dict | str = "coloraxis", **options: Any) -> dict:
    """A trace of cells, (R, C), none for NaN. hover: what pointing says. scale: a colour axis, or one of its own."""
    colours = {"coloraxis": scale} if isinstance(scale, str) else scale | {"showscale": False}
    return {
        "type": "heatmap", "name": name, "z": values.astype(np.float32, copy=False), "hoverongaps": False,
        "hovertemplate": hover + NO_EXTRA, **colours, **options,
    }  # fmt: skip


def curve(name: str, x: np.ndarray, y: np.ndarray, hover: str = "", **options: Any) -> dict:
    """A trace of lines or points, (N,). hover: what pointing says, if anything. options: as Plotly knows them."""
    pointing = {"hovertemplate": hover + NO_EXTRA} if hover else {"hoverinfo": "skip"}
    places = {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)}
    return {"type": "scatter", "mode": "lines", "name": name, **places, **pointing, **options}
