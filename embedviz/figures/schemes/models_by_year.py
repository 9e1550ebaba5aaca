"""How many of the models of each year know positions in which way, as bars."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.figures.schemes.layer_strips import COLOURS, HATCHED

_MARKERS = {kind: {"color": COLOURS[kind]} for kind in ("add", "bias", "rotate", "none")}
_MARKERS |= {"relative": {"color": "var(--token-4)"}, "mixed": _MARKERS["rotate"] | {"pattern": HATCHED}}


def models_by_year(models: Sequence[tuple[int, str, str]], words: Mapping[str, str]) -> Figure:
    """Draw a bar for each year, from the first to the last, with a part for each kind, in which its number stands.

    models: the year, the kind and the name of each. words: what the legend calls each kind, from the lowest part up:
    "add", "relative", "bias", "rotate", "none" and, where some layers rotate and some have none, "mixed".
    """
    years = range(min(year for year, *_rest in models), max(year for year, *_rest in models) + 1)
    traces = [
        _bars(words[kind], [(year, name) for year, own, name in models if own == kind], _MARKERS[kind])
        for kind in words
        if any(own == kind for _year, own, _name in models)
    ]
    x = theme.axis(grid=False, dtick=1, range=[years[0] - 0.6, years[-1] + 0.6], tickformat="d")
    y = theme.axis(_("models"), rangemode="tozero")
    return figure([Panel(traces, x, y, rem=20)], barmode="stack", bargap=0.2, margin={"t": 44}, **theme.legend(y=1.01))


def _bars(kind: str, models: Sequence[tuple[int, str]], marker: dict) -> dict:
    found = {year: [name for _year, name in own] for year, own in groupby(sorted(models), key=lambda each: each[0])}
    numbers = np.array([len(names) for names in found.values()], np.float32)
    return {
        "type": "bar", "name": kind, "marker": marker, "x": np.array([*found], np.float32), "y": numbers,
        "texttemplate": "%{y}", "textposition": "inside", "insidetextanchor": "middle", "textangle": 0,
        "textfont": {"size": 14, "color": theme.SURFACE},
        "customdata": ["<br>".join(names) for names in found.values()],
        "hovertemplate": f"%{{x}}, {kind}: %{{y}}<br>%{{customdata}}{theme.NO_EXTRA}",
    }  # fmt: skip
