"""The pictures of the page "Positions", except that of adding, which has a file of its own."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _, paragraph, told
from embedviz.figures.panels import Curve, Curves, Heat, on_a_circle, panels
from embedviz.positions import sinusoidal
from embedviz.positions.common import angular_speeds, first_and_second
from embedviz.programs import positions as export
from embedviz.programs.rows import of_positions
from embedviz.ui import BOUND, OPTIONS, challenges, extent, one_of, presenting, stop, whole_number
from embedviz.vectors import position_tables
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.position_tables import KINDS, MAX_POSITIONS, ByDistance, TableSettings
from pages.positions import words
from pages.positions.settings import has_none

_COLOURS = ("var(--first-position)", "var(--second-position)")
_DASHES = ("solid", "dash")
_HEIGHT = "clamp(18rem, calc(100vh - 24.7rem), 40rem)"


def _kind(column, settings: TableSettings) -> str:
    """Which table is shown. If the source has no such table, its place says so, and the rest of the view is empty."""
    kind = one_of(_("Table"), KINDS, key="kind", place=column)
    if kind not in settings.kinds:
        has_none(settings.origin)
        stop()
    return kind


def table_view(settings: TableSettings) -> None:
    """The table, with two of its dimensions or one position beside it, and how alike positions are by distance."""
    columns = st.columns([2, 1.6, 1, 1], vertical_alignment="top")
    kind = _kind(columns[0], settings)
    with columns[1], ui.on_every_slide():
        along = one_of(_("Beside it"), OPTIONS["along"], key="along")
    rows = position_tables.table(kind, settings)
    places = _places(along, rows, columns[2:])
    is_row = along == "position"
    alike = position_tables.by_distance(rows)
    about = words.about_table(kind, settings, None if is_row else places)
    near = words.about_distance(alike, kind, settings)
    in_a_hall = presenting.is_on()  # where the curve has a slide of its own: three panels have no room in large type
    ui.cards(about if in_a_hall else [*about, *near], key="about")
    lines = [rows[at] if is_row else rows[:, at] for at in places]
    picked = {"rows" if is_row else "columns": list(zip(places, _COLOURS, strict=False))}
    beside = _numbers_of(kind, settings, places[0], lines[0]) if is_row else _waves(places, lines)
    means = _means(alike, near[0].title if near and in_a_hall else _("Mean cosine by distance"))
    table = Heat(told(kind, f"{rows.shape[0]} × {rows.shape[1]}"), rows, _("dimension"), _("position"), **picked)
    alt = words.of_table(rows, dict(zip(places, lines, strict=False)), alike, is_row=is_row)
    if in_a_hall:
        pictures = {"table": panels([table, beside], (1.2, 1)), "by_distance": panels([means], (1,))}
    else:
        pictures = {"table": panels([table, beside, means], (1.2, 1, 1))}
    for key, picture in pictures.items():
        with ui.slide(key, brief=True):
            ui.show(picture, key=key, alt=alt, height=_HEIGHT)
    program = export.pytorch_lines(settings, kind, along, places)
    ui.program(program, _("A table of positions"), rows=partial(of_positions, settings))


def _places(along: str, rows: np.ndarray, columns: Sequence[DeltaGenerator]) -> list[int]:
    """The position that stands beside the table, or the two dimensions."""
    if along == "position":
        return [whole_number(_("Position"), 0, len(rows) - 1, 1, key="picked_position", place=columns[0])]
    last = rows.shape[1] - 1
    fields = ((_("Dimension"), 4, "picked_dimension"), (_("Other dimension"), 20, "other_dimension"))
    return [
        whole_number(label, 0, last, min(usual, last), key=key, place=place)
        for (label, usual, key), place in zip(fields, columns, strict=True)
    ]


def _waves(places: list[int], lines: list[np.ndarray]) -> Curves:
    """Dimensions along the positions, each in the colour of its frame."""
    curves = [
        Curve(_("Dimension {n}", n=at), np.arange(len(line)), line, colour, dash=dash)
        for at, line, colour, dash in zip(places, lines, _COLOURS, _DASHES, strict=False)
    ]
    return Curves("", curves, _("position"), _("value"), names=True)


def _means(alike: ByDistance, title: str) -> Curves:
    """The mean cosine against the distance."""
    curve = Curve(_("cosine"), np.arange(len(alike.cosines)), alike.cosines)
    return Curves(title, [curve], _("distance"), _("cosine"), from_zero=True)


def _numbers_of(kind: str, settings: TableSettings, at: int, line: np.ndarray) -> Curves:
    """The numbers of one position as dots, and sines and cosines apart, since no line leads from one to the other."""
    x = np.arange(len(line))
    sines, cosines = first_and_second(len(line), settings.layout)
    parts = [(_("sine"), sines), (_("cosine"), cosines)] if kind == "sinusoidal" else [(_("value"), slice(None))]
    curves = [
        Curve(name, x[those], line[those], colour, "markers", symbol=symbol)
        for (name, those), colour, symbol in zip(parts, _COLOURS, ("circle", "diamond"), strict=False)
    ]
    return Curves(_("Position {n}", n=at), curves, _("dimension"), _("value"), names=len(curves) > 1)


def pairs_view(settings: TableSettings) -> None:
    """A shift as a rotation: of the fastest pair, of one that the visitor chooses, and of the slowest."""
    last = settings.output_dim // 2 - 1
    left, right, _room = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left, ui.on_every_slide():
        k = whole_number(_("Shift (positions)"), 1, MAX_POSITIONS, 5, key="shift")
    number = whole_number(_("Pair"), 0, last, min(4, last), key="pair_number", place=right)
    found = position_tables.shift(settings, k)
    ui.cards(words.about_pairs(found, settings, k, number), key="about")
    table = position_tables.table("sinusoidal", settings)
    speeds = angular_speeds(settings.output_dim, settings.base)
    parts, told = [], []
    for each in sorted({0, number, last}):
        rows, turned = (position_tables.pair(part, each, settings.layout) for part in (table, found.turned))
        title = words.turn(settings, k, each)
        up = "" if parts else _("sine")
        curves = on_a_circle(rows, turned[0], k * float(speeds[each]), (0, k), _COLOURS)
        parts.append(Curves(title, curves, _("cosine"), up, square=True))
        told.append(_("{title}, to ({cos:.3f}, {sin:.3f}).", title=title, cos=turned[0, 1], sin=turned[0, 0]))
    alt = paragraph([_("Sine and cosine of position 0 on circles, and of position {k}.", k=k), *told])
    with ui.slide(brief=True):
        ui.show(panels(parts, [1] * len(parts), once=["y"]), key="pairs", alt=alt, height=_HEIGHT)
    ui.program(export.pytorch_shift(settings, k), _("A shift is a rotation"))


def past_the_end(settings: TableSettings) -> None:
    """A length that may pass the end of the learned table."""
    end = settings.context_length
    if "learned" not in settings.kinds:
        has_none(settings.origin)
        return
    if settings.origin.layout():
        named = {"title": settings.origin.title, "last": settings.rows_of_source - 1}
        st.info(_("The table of {title} goes on to row {last:,}; here it is cut, to see what an end does.", **named))
    most = min(2 * end, MAX_POSITIONS)
    with ui.on_every_slide():
        usual = min(most, end + max(1, end // 4))  # a text that the table is too short for
        length = st.slider(_("Length of the text (tokens)"), 1, most, usual, key="length", **BOUND)
    error = pytorch_error(end, settings.output_dim, range(length))
    about = words.about_end(length, settings, error)
    ui.cards(about, key="about")
    learned = np.full((length, settings.output_dim), np.nan, np.float32)
    kept = min(length, end)
    learned[:kept] = position_tables.table("learned", settings)[:kept]
    goes_on = sinusoidal.table(length, settings.output_dim, base=settings.base, layout=settings.layout)
    tables = zip(about, (learned, goes_on), strict=True)
    parts = [Heat(card.title, rows, _("dimension"), _("position")) for card, rows in tables]
    alt = _(
        "Learned rows for {kept} of {length} positions, numbers {learned}; sinusoidal rows for all "
        "{length}, numbers {sinusoidal}.",
        kept=kept,
        length=length,
        learned=extent(learned[:kept]),
        sinusoidal=extent(goes_on),
    )
    with ui.slide(brief=True):
        ui.show(panels(parts, (1, 1)), key="end", alt=alt, height=_HEIGHT)
    ui.program(export.pytorch_past_the_end(settings, length), _("Past the end of a table"))
    challenges.check("past-the-end", length, settings)
