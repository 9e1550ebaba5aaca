"""What other positions change in each layer of a model, as bars, above what its makers declare of the layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _, label_value
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.figure import Figure, Panel, figure

_MOST_NAMED = 4  # columns whose bars have room for their number
_MOST_TICKS = 13
_ROUNDING = 0.005  # smaller changes are written as about 0
_APART, _MOVED = "var(--first-position)", "var(--second-position)"
_DECLARED_AT = -0.09  # of the height of a panel, where the squares stand
_WIDE = 0.38  # of a column


@dataclass(frozen=True)
class Measured:
    """A panel: what other positions change, float32 (n_columns,), if tokens stand farther apart, or all equally later.

    columns: the name of each. kinds: what is declared of it, a key of theme.KIND_COLOURS. least: how
    far the axis reaches at least.
    """

    title: str
    columns: Sequence[str]
    kinds: Sequence[str]
    apart: np.ndarray
    moved: np.ndarray
    least: float = 0.1


def position_test(panels: Sequence[Measured], declared: Mapping[str, str]) -> Figure:
    """Draw the panels side by side. declared: what each kind is called below a panel that has it."""
    drawn = [_panel(each, declared, is_first=n == 0) for n, each in enumerate(panels)]
    return figure(drawn, margin={"t": 76}, bargap=0.1, **theme.legend(y=1.14))


def _panel(part: Measured, declared: Mapping[str, str], *, is_first: bool) -> Panel:
    n, height = len(part.columns), _round_up(part)
    step = -(-n // _MOST_TICKS)
    series = (
        (_("Tokens stand three times as far apart"), part.apart, _APART, -0.5),
        (_("All tokens stand equally later"), part.moved, _MOVED, 0.5),
    )
    traces = [
        _bars(part, name, values, colour, side * _WIDE, is_named=is_first) for name, values, colour, side in series
    ]
    kinds = [kind for kind in declared if kind in part.kinds]
    traces += [_squares(part, kind, declared[kind]) for kind in kinds]
    key = [theme.coloured(f"■ {declared[kind]}", theme.KIND_COLOURS[kind]) for kind in kinds]
    x = theme.axis(
        _("declared: {kinds}", kinds=" ".join(key)), short=" ".join(key), grid=False, ticks="", range=[-0.6, n - 0.4],
        tickvals=[*range(0, n, step)], ticktext=part.columns[::step],
    )  # fmt: skip
    y = theme.axis(
        range=[1.8 * _DECLARED_AT * height, 1.12 * height], tickvals=[0, height / 2, height],
        ticktext=[in_print(each, "g") for each in (0, height / 2, height)],
    )  # fmt: skip
    return Panel(traces, x, y, part.title, width=0.6 + n, rem=18)


def _bars(part: Measured, name: str, values: np.ndarray, colour: str, offset: float, *, is_named: bool) -> dict:
    numbers = [change_in_print(each) for each in values.tolist()]
    most = {True: _MOST_NAMED, False: 2 * _MOST_NAMED}  # by whether it is a number or a 0, which is short
    return {
        "type": "bar", "name": name, "showlegend": is_named, "marker": {"color": colour},
        "x": np.arange(len(values), dtype=np.float32) + np.float32(offset), "y": values.astype(np.float32),
        "width": np.full(len(values), _WIDE, np.float32),
        "text": [_in_short(each) if len(values) <= most[each > 0] else "" for each in values.tolist()],
        "textposition": "outside", "textangle": 0, "constraintext": "none", "cliponaxis": False,
        "textfont": {"size": 14, "color": colour}, "customdata": [*zip(part.columns, numbers, strict=True)],
        "hovertemplate": label_value(f"{name}<br>%{{customdata[0]}}", "<b>%{customdata[1]}</b>") + theme.NO_EXTRA,
    }  # fmt: skip


def change_in_print(change: float) -> str:
    """A change as it is written: 0 only where not one bit has changed."""
    return "0" if change == 0 else in_print(change, ".1e" if change < _ROUNDING else ".2f")


def _in_short(change: float) -> str:
    return "≈ 0" if 0 < change < _ROUNDING else change_in_print(change)


def _round_up(part: Measured) -> float:
    """Where the axis ends: the first of 0.1, 0.2, 0.5, 1 and so on that no bar passes."""
    most = max(part.least, float(part.apart.max()), float(part.moved.max()))
    return next(factor * 10.0**n for n in range(-1, 9) for factor in (1, 2, 5) if factor * 10.0**n >= most)


def _squares(part: Measured, kind: str, name: str) -> dict:
    """What is declared of the columns of a kind."""
    at = [n for n, own in enumerate(part.kinds) if own == kind]
    marker = {"symbol": "square", "size": 12, "color": theme.KIND_COLOURS[kind]}
    heights = np.full(len(at), _DECLARED_AT * _round_up(part))
    hover = _("declared: {kinds}", kinds=name)
    return theme.curve(name, np.array(at), heights, hover, mode="markers", marker=marker, showlegend=False)
