"""The pictures of the page "Positions", except those of adding and of real models, which are in files of their own."""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.panels import Curve, Curves, Heat, panels
from embedviz.positions import sinusoidal
from embedviz.programs import positions as export
from embedviz.programs.rows import of_positions
from embedviz.ui.alt_text import extent
from embedviz.ui.fields import BOUND, one_of, whole_number
from embedviz.ui.messages import stop
from embedviz.ui.options import OPTIONS, label_of
from embedviz.vectors import position_tables
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.position_tables import KINDS, MAX_POSITIONS, TableSettings
from pages.positions import words
from pages.positions.real_models import has_none

_HEIGHT = "clamp(18rem, calc(100vh - 24.7rem), 40rem)"


def _kind(column, settings: TableSettings) -> str:
    """Which table is shown. If the source has no such table, its place says so, and the rest of the view is empty."""
    kind = one_of(_("Table"), KINDS, key="kind", place=column)
    if kind not in settings.kinds:
        has_none(settings.origin)
        stop()
    return kind


def table_view(settings: TableSettings) -> None:
    """The table, with one position or one dimension picked out as a line."""
    first, second, third = st.columns([2, 1.5, 1], vertical_alignment="bottom")
    kind = _kind(first, settings)
    along = one_of(_("As a line"), OPTIONS["along"], key="along", place=second)
    rows = position_tables.table(kind, settings)
    with third:
        at = whole_number(label_of("along")(along), 0, rows.shape[along == "dimension"] - 1, 1, key=f"picked_{along}")
    ui.cards(words.about_table(kind, settings), key="about")
    line = rows[at] if along == "position" else rows[:, at]
    picked = {"row": at} if along == "position" else {"column": at}
    other = _("dimension") if along == "position" else _("position")
    name = _("Position {n}", n=at) if along == "position" else _("Dimension {n}", n=at)
    parts = [
        Heat(f"{kind}: {rows.shape[0]} × {rows.shape[1]}", rows, _("dimension"), _("position"), **picked),
        Curves(name, [Curve(name, np.arange(len(line)), line)], other, _("value")),
    ]
    alt = _(
        "Table of {n_positions} positions by {n_dims} dimensions, numbers {extent}. {name}: {extent_line}.",
        n_positions=rows.shape[0],
        n_dims=rows.shape[1],
        extent=extent(rows),
        name=name,
        extent_line=extent(line),
    )
    with ui.slide():
        ui.show(panels(parts, (1.5, 1)), key="table", alt=alt, height=_HEIGHT)
    ui.program(
        export.pytorch_line(settings, kind, along, at), _("A table of positions"), rows=partial(of_positions, settings)
    )


def pairs_view(settings: TableSettings) -> None:
    """Wavelengths, and a shift as a rotation."""
    last = settings.output_dim // 2 - 1
    left, right, _room = st.columns([1, 1, 3], vertical_alignment="bottom")
    k = whole_number(_("Shift (positions)"), 1, MAX_POSITIONS, 5, key="shift", place=left)
    number = whole_number(_("Pair"), 0, last, min(4, last), key="pair_number", place=right)
    found = position_tables.shift(settings, k)
    ui.cards(words.about_pairs(found, settings, k, number), key="about")
    waves = position_tables.wavelengths(settings)
    rows = position_tables.pair(position_tables.table("sinusoidal", settings), number, settings.layout)
    turned = position_tables.pair(found.turned, number, settings.layout)[0]
    parts = [
        Curves(
            _("Wavelength of every dimension"),
            [Curve(_("wavelength"), np.arange(len(waves)), waves)],
            _("dimension"),
            _("positions"),
            log=True,
        ),
        Curves(
            _("Pair {number}: sine and cosine", number=number),
            _circle(rows, turned, k),
            _("cosine"),
            _("sine"),
            square=True,
        ),
    ]
    alt = _(
        "Wavelengths from {short:.3g} to {long:.6g} positions. Pair {number} on a circle: from position "
        "0 to {k} it turns from ({cos_0:.3f}, {sin_0:.3f}) to ({cos_k:.3f}, {sin_k:.3f}).",
        short=waves.min(),
        long=waves.max(),
        number=number,
        k=k,
        cos_0=rows[0, 1],
        sin_0=rows[0, 0],
        cos_k=turned[1],
        sin_k=turned[0],
    )
    with ui.slide(alone=True):
        ui.show(panels(parts, (1.6, 1)), key="pairs", alt=alt, height=_HEIGHT)
    ui.program(export.pytorch_shift(settings, k), _("A shift is a rotation"))


def _circle(rows: np.ndarray, turned: np.ndarray, k: int) -> list[Curve]:
    """The pair of every position on the unit circle, with hands at positions 0 and k."""
    round_ = np.linspace(0, 2 * np.pi, 90)
    hands = [
        Curve(
            _("position {name}", name=name),
            np.array([0, hand[1]]),
            np.array([0, hand[0]]),
            f"var(--token-{n})",
            "lines+markers+text",
            ["", str(name)],
        )
        for n, (name, hand) in enumerate(((0, rows[0]), (k, turned)))
    ]
    every = Curve(_("position"), rows[:, 1], rows[:, 0], "var(--faint)", "markers")
    return [Curve(_("circle"), np.cos(round_), np.sin(round_), "var(--grid)"), every, *hands]


def similarity_view(settings: TableSettings) -> None:
    """Every position with every other, against distance, and as a path."""
    kind = _kind(st.container(), settings)
    found = position_tables.similarity(position_tables.table(kind, settings))
    ui.cards(words.about_similarity(kind, found, settings.source), key="about")
    steps = np.arange(len(found.mean))
    path = Curve(_("path"), found.path[:, 0], found.path[:, 1], "var(--token-0)", "lines+markers")
    parts = [
        Heat(_("Cosine of two positions"), found.cosines, _("position"), _("position")),
        Curves(
            _("Against distance"),
            [
                Curve(_("smallest"), steps, found.low, "var(--faint)", dash="dot"),
                Curve(_("largest"), steps, found.high, "var(--faint)", dash="dash"),
                Curve(_("mean"), steps, found.mean, "var(--token-0)"),
            ],
            _("distance"),
            _("cosine"),
        ),
        Curves(
            _("The positions in two dimensions"),
            [path],
            _("PC 1 ({share:.0%})", share=found.explained[0]),
            _("PC 2 ({share:.0%})", share=found.explained[1]),
        ),
    ]
    alt = _(
        "Cosines of {n} positions: mean at distance 1 {near:.3f}, at the largest distance {far:.3f}. Two "
        "principal components carry {share:.0%} of the variance.",
        n=len(steps),
        near=found.mean[min(1, len(steps) - 1)],
        far=found.mean[-1],
        share=found.explained.sum(),
    )
    with ui.slide():
        ui.show(panels(parts, (1.1, 1, 1)), key="similarity", alt=alt, height=_HEIGHT)
    ui.program(export.pytorch_similarity(settings, kind), _("Similar positions"), rows=partial(of_positions, settings))


def side_by_side(settings: TableSettings) -> None:
    """Three tables of one size on one scale."""
    if settings.kinds != KINDS:
        has_none(settings.origin)
    tables = {kind: position_tables.table(kind, settings) for kind in settings.kinds}
    lengths = {kind: _lengths(rows) for kind, rows in tables.items()}
    ui.cards(words.about_kinds(lengths, settings), key="about")
    parts = [Heat(kind, rows, _("dimension"), _("position")) for kind, rows in tables.items()]
    numbers = [_("{kind}: numbers {extent}", kind=kind, extent=extent(rows)) for kind, rows in tables.items()]
    alt = _("{n} tables on one scale. {numbers}", n=len(parts), numbers="; ".join(numbers))
    with ui.slide():
        ui.show(panels(parts, [1] * len(parts)), key="kinds", alt=f"{alt}.", height=_HEIGHT)
    ui.program(export.pytorch_side_by_side(settings), _("Tables side by side"), rows=partial(of_positions, settings))


def _lengths(rows: np.ndarray) -> tuple[float, float]:
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    return float(lengths.min()), float(lengths.max())


def past_the_end(settings: TableSettings) -> None:
    """A length that may pass the end of the learned table."""
    end = settings.context_length
    if "learned" not in settings.kinds:
        has_none(settings.origin)
        return
    if settings.origin.layout():
        title, last = settings.origin.title, settings.rows_of_source - 1
        st.info(
            _(
                "The table of {title} goes on to row {last:,}; here it is cut, to see what an end does.",
                title=title,
                last=last,
            )
        )
    most = min(2 * end, MAX_POSITIONS)
    length = st.slider(_("Length of the text (tokens)"), 1, most, min(end + 16, most), key="length", **BOUND)
    error = pytorch_error(end, settings.output_dim, range(length))
    ui.cards(words.about_end(length, settings, error), key="about")
    learned = np.full((length, settings.output_dim), np.nan, np.float32)
    kept = min(length, end)
    learned[:kept] = position_tables.table("learned", settings)[:kept]
    goes_on = sinusoidal.table(length, settings.output_dim, base=settings.base, layout=settings.layout)
    parts = [
        Heat("learned", learned, _("dimension"), _("position")),
        Heat("sinusoidal", goes_on, _("dimension"), _("position")),
    ]
    alt = _(
        "Learned rows for {kept} of {length} positions, numbers {learned}; sinusoidal rows for all "
        "{length}, numbers {sinusoidal}.",
        kept=kept,
        length=length,
        learned=extent(learned[:kept]),
        sinusoidal=extent(goes_on),
    )
    with ui.slide():
        ui.show(panels(parts, (1, 1)), key="end", alt=alt, height=_HEIGHT)
    ui.program(export.pytorch_past_the_end(settings, length), _("Past the end of a table"))
