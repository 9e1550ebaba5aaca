"""A model or two on one scale of tokens: what is seen of the longest text, RoPE's circles, lengths, what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure, line_end

_COLOURS = ("var(--token-0)", "var(--token-1)")  # of the models
_BEYOND = 40  # how far the scale goes past the longest text
_MOST_CHUNKS = 64  # of which each has its corners in the picture


@dataclass(frozen=True)
class Seen:
    """What one kind of layer lets a token see.

    told: it in words. width: in tokens, 0 for the whole text. n_layers: how many have it, of how many.
    """

    told: str
    colour: str
    width: int = 0
    in_chunks: bool = False
    n_layers: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Sheet:
    """A model: its name, its longest text, and what its kinds of layers see of that.

    marks: by the names of rows, numbers of tokens. kept: the bytes that it keeps after `lengths` tokens, (N,), or none.
    """

    name: str
    longest: int
    both_ways: bool
    seen: Sequence[Seen]
    marks: Mapping[str, Sequence[float]]
    lengths: np.ndarray
    kept: np.ndarray


def masks_and_kept(sheets: Sequence[Sheet]) -> Figure:
    """Draw what each model sees of its longest text, true to scale, and what they keep after so many tokens."""
    panels = [_mask(sheet, n) for sheet in sheets if sheet.longest for n in range(len(sheet.seen))]
    if any(len(each.kept) for each in sheets):
        panels.append(_kept(sheets))
    return figure(panels, margin={"t": 54})


def _mask(sheet: Sheet, kind: int) -> Panel:
    """What each position sees in the n-th kind of layers, as an area between the text on both sides.

    Axes are named once for each model, and where there is little room its name stands above its first panel alone.
    """
    seen, n, bare = sheet.seen[kind], sheet.longest, {"grid": False, "tickvals": [], "ticks": ""}
    has, of = seen.n_layers
    title, short = sheet.name, "\u00a0" if kind else sheet.name
    if 0 < has < of:
        layers = _("{n} of {total} layers", n=has, total=of)
        title, short = f"{title}<br>{layers}", f"{short}<br>{has}/{of}"
    x = theme.axis("" if kind else _("seen tokens, of {n:,}", n=n), range=[0, n], **bare)
    y = theme.axis("" if kind else _("token that looks"), range=[n, 0], **bare)
    return Panel([_area(seen, n, sheet.both_ways)], x, y, title, short=short, rem=14)


def _area(seen: Seen, n: int, both_ways: bool) -> dict:
    keys, queries = _corners(seen, n, both_ways)
    return theme.curve(
        seen.told, keys, queries, fill="toself", fillcolor=seen.colour, line={"color": seen.colour, "width": 1},
        hoveron="fills", text=seen.told,
    ) | {"hoverinfo": "text"}  # fmt: skip


def _corners(seen: Seen, n: int, both_ways: bool) -> tuple[np.ndarray, np.ndarray]:
    """The corners of an area: the positions that are seen, and those that look."""
    width = seen.width or n
    if seen.in_chunks:
        starts = np.arange(0, n, max(width, n // _MOST_CHUNKS), dtype=float)
        ends = np.minimum(starts + max(width, n // _MOST_CHUNKS), n)
        gap = np.full(len(starts), np.nan)
        keys, queries = (starts, starts, ends, starts, gap), (starts, ends, ends, starts, gap)
        return np.stack(keys, axis=1).ravel(), np.stack(queries, axis=1).ravel()
    if not both_ways:
        return np.array([0, 0, n - width, n, 0]), np.array([0, width, n, n, 0])
    half = width / 2 if seen.width else n
    return np.array([0, 0, n - half, n, n, half, 0]), np.array([0, half, n, n, n - half, 0, 0])


def _log(title: str, low: float, high: float) -> dict:
    """An axis of powers of ten, of which it names five at most."""
    low, high = np.log10([low, high])
    return theme.axis(title, type="log", range=[low, high], dtick=int(np.ceil((high - low) / 5)))


def lengths(sheets: Sequence[Sheet]) -> Figure:
    """Draw the numbers of tokens that a model has, a row for each kind of number, on one scale."""
    rows = [row for row in sheets[0].marks if any(sheet.marks[row] for sheet in sheets)]
    most = _BEYOND * max(2048, *(each.longest for each in sheets))
    traces = []
    for n, sheet in enumerate(sheets):
        y = [rows.index(row) + 0.3 * n for row, found in sheet.marks.items() for _each in found]
        x = [each for found in sheet.marks.values() for each in found]
        marker = {"symbol": "line-ns-open", "size": 12, "color": _COLOURS[n], "line": {"width": 2}}
        told = _("{model}: {n} tokens", model=sheet.name, n="%{x:,.0f}")
        traces.append(theme.curve(sheet.name, np.array(x), np.array(y), told, mode="markers", marker=marker))
    y = theme.axis(range=[len(rows) - 0.3, -0.7], tickvals=[*range(len(rows))], ticktext=rows, ticks="")
    legend = theme.legend() if len(sheets) > 1 else {}
    return figure([Panel(traces, _log(_("tokens"), 1, most), y, rem=16)], margin={"t": 34}, **legend)


def _kept(sheets: Sequence[Sheet]) -> Panel:
    traces, notes = [], []
    known = [(n, sheet) for n, sheet in enumerate(sheets) if len(sheet.kept)]
    for n, sheet in known:
        said = _("{model}, {n} tokens<br><b>{size} GiB</b>", model=sheet.name, n="%{x:,.0f}", size="%{y:.3g}")
        gib = sheet.kept / 2**30
        line = {"color": _COLOURS[n], "width": 2.5}
        traces.append(theme.curve(sheet.name, sheet.lengths, gib, said, line=line))
        if len(known) > 1:
            notes.append(line_end(sheet.name, float(np.log10(gib[-1])), _COLOURS[n], 13))
    ends = [[sheet.lengths[end] for _n, sheet in known] for end in (0, -1)]
    sizes = [[sheet.kept[end] / 2**30 for _n, sheet in known] for end in (0, -1)]
    low, high = min(ends[0]), max(ends[1])
    powers = 10.0 ** np.arange(np.ceil(np.log10(low)), np.floor(np.log10(high)) + 1)
    named = powers[[0, -1]] if len(powers) else [low, high]  # a panel beside others has room for two names
    x = _log(_("tokens"), low, high) | {"tickvals": [*map(float, named)], "tickangle": 0}
    y = _log(_("GiB"), min(sizes[0]) / 1.5, max(sizes[1]) * 1.5)
    return Panel(traces, x, y, _("kept of the text"), notes=notes, width=2, rem=18)
