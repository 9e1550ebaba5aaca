"""The view "Pairs" of the page "Positions": a shift turns each pair of a sine and a cosine by an angle of its own."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, paragraph
from embedviz.figures.figure import Figure
from embedviz.figures.panels import Curves, on_a_circle, panels
from embedviz.positions.common import angular_speeds
from embedviz.programs.schemes.positions import pytorch_shift
from embedviz.ui import Card, Guide, Picture, Program, View, whole_number
from embedviz.vectors import position_tables
from embedviz.vectors.position_tables import MAX_POSITIONS, Shift, TableSettings
from pages.positions.settings import Sizes, size_fields, table_settings

_COLOURS = ("var(--first-position)", "var(--second-position)")
_HEIGHT = ui.picture_height()


class Fields(NamedTuple):
    """By how many positions the table is shifted, and the number of a pair that is drawn."""

    settings: TableSettings
    k: int
    pair: int


class ShiftedPairs(NamedTuple):
    """What a shift does to a table of sines and cosines, (L, D)."""

    fields: Fields
    table: np.ndarray
    shift: Shift

    @property
    def drawn(self) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """The fastest pair, the one that is chosen, and the slowest: number, rows and turned rows, both (L, 2)."""
        settings, _k, chosen = self.fields
        numbers = sorted({0, chosen, settings.output_dim // 2 - 1})
        pair = partial(position_tables.pair, layout=settings.layout)
        return [(n, pair(self.table, n), pair(self.shift.turned, n)) for n in numbers]


def fields(frame: ui.Frame, sizes: Sizes) -> Fields:
    """A shift and a pair."""
    settings = table_settings(frame, sizes)
    last = settings.output_dim // 2 - 1
    left, right, _room = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left, ui.on_every_slide():
        k = whole_number(_("Shift (positions)"), 1, MAX_POSITIONS, 5, key="shift")
    return Fields(settings, k, whole_number(_("Pair"), 0, last, min(4, last), key="pair_number", place=right))


def shifted(asked: Fields) -> ShiftedPairs:
    """The table, and the table after the shift."""
    shift = position_tables.shift(asked.settings, asked.k)
    return ShiftedPairs(asked, position_tables.table("sinusoidal", asked.settings), shift)


def figure(result: ShiftedPairs) -> Figure:
    """A circle for each pair that is drawn."""
    settings, k, _pair = result.fields
    speeds = angular_speeds(settings.output_dim, settings.base)
    circles = []
    for n, rows, turned in result.drawn:
        curves = on_a_circle(rows, turned[0], k * float(speeds[n]), (0, k), _COLOURS)
        up = "" if circles else _("sine")
        circles.append(Curves(turn(settings, k, n), curves, _("cosine"), up, square=True))
    return panels(circles, [1] * len(circles), once=["y"])


def alternative(result: ShiftedPairs) -> str:
    """The circles for those who cannot see them."""
    settings, k, _pair = result.fields
    goals = [
        _("{title}, to ({cos:.3f}, {sin:.3f}).", title=turn(settings, k, n), cos=turned[0, 1], sin=turned[0, 0])
        for n, _rows, turned in result.drawn
    ]
    return paragraph([_("Sine and cosine of position 0 on circles, and of position {k}.", k=k), *goals])


def pictures(result: ShiftedPairs) -> list[Picture]:
    """The circles."""
    drawn = partial(ui.show, figure(result), key="pairs", alt=alternative(result), height=_HEIGHT)
    return [Picture(drawn)]


def turn(settings: TableSettings, k: int, number: int) -> str:
    """By which angle k positions turn a pair."""
    frequency = float(angular_speeds(settings.output_dim, settings.base)[number])
    return _("Pair {number} turns by {angle:.4g}°", number=number, angle=np.degrees(k * frequency))


def about_pairs(shift: Shift, settings: TableSettings, k: int, number: int) -> list[Card]:
    """A shift is a rotation."""
    frequency = float(angular_speeds(settings.output_dim, settings.base)[number])
    turns = _(
        "These turns are the same for all {context_length} rows. Largest difference from the rows {k} later: "
        "{difference:.2g} (rounding).",
        context_length=settings.context_length,
        k=k,
        difference=shift.largest_difference,
    )
    wave = {"k": k, "frequency": frequency, "wave": 2 * np.pi / frequency}
    why = _(
        "sin(p + k) = sin p · cos k + cos p · sin k: to shift a sine you need its cosine. With both, a shift is one "
        "matrix."
    )
    return [
        Card(_("After a shift by {k}, each pair has turned by its own angle", k=k), turns, "same"),
        Card(
            turn(settings, k, number), _("{k} × {frequency:.4g} radians. A wave is {wave:.4g} positions long.", **wave)
        ),
        Card(_("Why sine and cosine?"), why),
    ]


PAIRS = View(
    page="positions",
    name="pairs",
    guide=Guide(
        N_("Sine and cosine of a pair are a hand on a circle. The same shift turns the first pair far, and the last "
           "one hardly."),
        N_("A step of fixed length turns each pair by a fixed angle, so a distance is the same operation wherever it "
           "begins."),
        "sinusoidal wavelength dimension position relative",
    ),
    settings=partial(size_fields, without=("seed",)),
    fields=fields,
    compute=shifted,
    source=lambda asked: asked.settings.origin.name,
    findings=lambda result: about_pairs(result.shift, *result.fields),
    pictures=pictures,
    program=lambda result: Program(pytorch_shift(result.fields.settings, result.fields.k), _("A shift is a rotation")),
)  # fmt: skip
