"""A model or two on one scale of tokens: what is seen of the longest text, RoPE's circles, lengths, what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_COLOURS = ("var(--token-0)", "var(--token-1)")  # of the models
_MOST_CHUNKS = 64  # of which each has its corners in the picture


@dataclass(frozen=True)
class Seen:
    """What one kind of layer lets a token see. width: in tokens, 0 for the whole text. told: it in words."""

    told: str
    colour: str
    width: int = 0
    in_chunks: bool = False


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


def model_sheet(sheets: Sequence[Sheet]) -> Figure:
    """Draw the masks of the models, true to scale, then their lengths, and what they keep, over one scale of tokens."""
    masks = [_mask(sheet) for sheet in sheets if sheet.seen and sheet.longest]
    most = max([each.longest for each in sheets] + [2048])
    panels = [*masks, _ruler(sheets, most)]
    if any(len(each.kept) for each in sheets):
        panels.append(_kept(sheets, most))
    return figure(panels, columns=(2 if len(panels) == 4 else 0, 1), margin={"t": 34})


def _mask(sheet: Sheet) -> Panel:
    """What each position sees, as areas between the text on both sides; wide ones lie below narrow ones."""
    n = sheet.longest
    traces = [_area(seen, n, sheet.both_ways) for seen in sorted(sheet.seen, key=lambda each: each.width or n)[::-1]]
    ticks = {"tickvals": [0, n], "ticktext": ["0", f"{n:,}"], "ticks": ""}
    x = theme.axis(_("is seen"), grid=False, range=[0, n], **ticks)
    y = theme.axis(_("looks"), grid=False, range=[n, 0], tickvals=[n], ticktext=[f"{n:,}"], ticks="", tickangle=-90)
    return Panel(traces, x, y, sheet.name, rem=18)


def _area(seen: Seen, n: int, both_ways: bool) -> dict:
    keys, queries = _corners(seen, n, both_ways)
    return theme.curve(
        seen.told, keys, queries, fill="toself", fillcolor=seen.colour, line={"color": seen.colour, "width": 1},
        opacity=0.85, hoveron="fills", text=seen.told, hoverinfo="text",
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


def _tokens(most: int) -> dict:
    return theme.axis(_("tokens"), type="log", range=[0, np.log10(most) + 0.15], dtick=1)


def _ruler(sheets: Sequence[Sheet], most: int) -> Panel:
    rows = list(dict.fromkeys(row for sheet in sheets for row in sheet.marks))
    traces = []
    for n, sheet in enumerate(sheets):
        y = [rows.index(row) + 0.24 * n for row, found in sheet.marks.items() for _each in found]
        x = [each for found in sheet.marks.values() for each in found]
        marker = {"symbol": "line-ns-open", "size": 13, "color": _COLOURS[n], "line": {"width": 2}}
        told = _("{model}: {n} tokens", model=sheet.name, n="%{x:,.0f}")
        traces.append(theme.curve(sheet.name, np.array(x), np.array(y), told, mode="markers", marker=marker))
    y = theme.axis(range=[len(rows) - 0.4, -0.6], tickvals=[*range(len(rows))], ticktext=rows, ticks="")
    return Panel(traces, _tokens(most), y, _("Lengths"), rem=16)


def _kept(sheets: Sequence[Sheet], most: int) -> Panel:
    traces, notes = [], []
    for n, sheet in enumerate(sheets):
        if len(sheet.kept):
            line = {"color": _COLOURS[n], "width": 2.5}
            said = _("{model}, {n} tokens<br><b>{size} GiB</b>", model=sheet.name, n="%{x:,.0f}", size="%{y:.3g}")
            gib = sheet.kept / 2**30
            traces.append(theme.curve(sheet.name, sheet.lengths, gib, said, line=line))
            place = {"xref": "x", "x": float(np.log10(sheet.lengths[-1])), "yref": "y", "y": float(np.log10(gib[-1]))}
            notes.append(
                {
                    "text": sheet.name,
                    "showarrow": False,
                    "xanchor": "right",
                    "yanchor": "bottom",
                    "font": {"size": 13, "color": _COLOURS[n]},
                    **place,
                }
            )
    return Panel(
        traces, _tokens(most), theme.axis("GiB", type="log", dtick=1), _("Kept of the text"), notes=notes, rem=18
    )
