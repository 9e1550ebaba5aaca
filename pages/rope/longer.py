"""The view "longer": the pairs' speeds before and after a scaling to longer texts."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from embedviz import ui
from embedviz.attention.rope_reach import MAX_FACTOR, SCALINGS, Region, Stretch, stretched
from embedviz.base.i18n import _, translated
from embedviz.figures import theme
from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_charts
from embedviz.programs import rope as export
from embedviz.ui.fields import one_of, whole_number
from embedviz.ui.messages import stop_at_error
from pages.rope import frequency_words as words
from pages.rope.frequency_fields import field

_HEIGHT = "clamp(16rem, calc(100vh - 30rem), 38rem)"
_COLOURS = ("var(--token-2)", "var(--token-3)", "var(--token-1)", "var(--token-4)", theme.FAINT)  # one for each Region
_KNOWN, _NEW = "var(--token-0)", "var(--token-1)"


def longer(page: ui.Frame) -> None:
    """Show the pairs before and after the scaling that the visitor chooses."""
    with page.settings():
        lengths = {name: field(name, page) for name in ("base", "head_dim")}
    name, factor, lengths["trained"], lengths["used"] = _fields(page)
    with page.messages, stop_at_error():
        found = stretched(name, factor, **lengths)
    _body(found, lengths)


def _fields(page: ui.Frame) -> tuple[str, int, int, int]:
    row = page.inputs.container(horizontal=True, vertical_alignment="bottom", gap="small")
    scaling = row.container(width="content")
    factor, trained, used = (row.container(width=width) for width in (140, 150, 150))
    name = one_of(_("Scaling"), SCALINGS, key="scaling", usual="yarn", place=scaling)
    times = 1
    if name != "none":
        times = whole_number(_("Factor"), 1, MAX_FACTOR, 4, key="factor", below=page.messages, place=factor)
    with trained:
        short = field("trained", page)
    with used:
        return name, times, short, field("used", page)


def _body(stretch: Stretch, lengths: dict[str, int]) -> None:
    trained, used = lengths["trained"], lengths["used"]
    ui.cards(words.about_scaling(stretch, trained, used), key="about_scaling")
    charts = [_wavelengths(stretch, trained), _angles(stretch, used)]
    with ui.slide():
        ui.show(pair_charts(charts), key="scaling", alt=words.scaling_alt(stretch, trained, used), height=_HEIGHT)
    ui.aside(words.about_formula(stretch.name))
    ui.program(export.pytorch_longer(stretch.name, stretch.factor, **lengths), _("RoPE for longer texts"), height=380)


def _wavelengths(stretch: Stretch, trained: int) -> PairChart:
    with np.errstate(divide="ignore"):  # a pair that stands still has no wavelength
        after = 2 * np.pi / stretch.after
    regions = stretch.regions.tolist()
    return PairChart(
        _("Positions to a full circle"),
        _("trained (line), scaled (dots)"),
        _("positions"),
        [
            PairLine(_("as trained"), 2 * np.pi / stretch.before, theme.FAINT, 2),
            PairLine(
                _("scaled"), np.where(np.isfinite(after), after, np.nan), [_COLOURS[n] for n in regions], 0, dots=True
            ),
        ],
        trained,
        _("trained: {n:,}", n=trained),
        _bands(regions, [translated(words.REGIONS[region]) for region in Region], _COLOURS),
    )


def _bands(kinds: list[int], names: Sequence[str], colours: Sequence[str]) -> list[Band]:
    """The stretches of pairs of the same kind, a number that picks its name and its colour."""
    bands, first = [], 0
    for kind, group in groupby(kinds):
        last = first + len(list(group)) - 1
        bands.append(Band(names[kind], first, last, colours[kind]))
        first = last + 1
    return bands


def _angles(stretch: Stretch, used: int) -> PairChart:
    turns = np.where(stretch.turns_used > 0, stretch.turns_used, np.nan)
    colours = [_NEW if new else _KNOWN for new in stretch.new.tolist()]
    lines = [
        PairLine(_("in training"), stretch.turns_trained, theme.FAINT, 2),
        PairLine(_("now"), turns, colours, 0, dots=True),
    ]
    title, legend = _("Largest angle"), _("in training (line), in {n:,} tokens (dots)", n=used)
    bands = _bands(stretch.new.astype(int).tolist(), ["", _("new angles")], [_KNOWN, _NEW])
    return PairChart(
        title, legend, _("full circles"), lines, 1, _("one full circle"), [band for band in bands if band.name]
    )
