"""How many of the models of each year know positions in which way, as bars."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from embedviz.base.i18n import _, label_value, listed
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure


def models_by_year(models: Sequence[tuple[int, str, str]], words: Mapping[str, str]) -> Figure:
    """Draw a bar for each year, with a part for each kind. models: year, kind, name. words: for kinds, from below."""
    years = range(min(year for year, *_rest in models), max(year for year, *_rest in models) + 1)
    traces = [
        _bars(words[kind], [(year, name) for year, own, name in models if own == kind], theme.KIND_COLOURS[kind])
        for kind in words
        if any(own == kind for _year, own, _name in models)
    ]
    names = [f"’{year % 100}" for year in years]
    x = theme.axis(
        grid=False, ticks="", range=[years[0] - 0.6, years[-1] + 0.6], tickvals=[*years], ticktext=names, tickangle=0
    )
    y = theme.axis(_("models"), rangemode="tozero")
    # The first bars leave room for the legend.
    inside = theme.legend(orientation="v", x=0.01, y=0.99, yanchor="top", font={"size": 12}, bgcolor=theme.SURFACE)
    return figure([Panel(traces, x, y, rem=20)], barmode="stack", bargap=0.2, **inside)


def _bars(kind: str, models: Sequence[tuple[int, str]], colour: str) -> dict:
    names_by_year = {
        year: [name for _year, name in own] for year, own in groupby(sorted(models), key=lambda each: each[0])
    }
    numbers = np.array([len(names) for names in names_by_year.values()], np.float32)
    return {
        "type": "bar", "name": kind, "marker": {"color": colour},
        "x": np.array([*names_by_year], np.float32), "y": numbers,
        "text": [f"{n:.0f}" if n > 1 else "" for n in numbers], "textposition": "inside", "textangle": 0,
        "insidetextanchor": "middle", "constraintext": "none",
        "textfont": {"size": 14, "color": theme.SURFACE},
        "customdata": ["<br>".join(names) for names in names_by_year.values()],
        "hovertemplate": f"{label_value(listed(['%{x}', kind]), '%{y}')}<br>%{{customdata}}{theme.NO_EXTRA}",
    }  # fmt: skip
