"""The view "Table" of the page "Positions": the numbers of a table, or how alike positions are by distance."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, label_value
from embedviz.figures.figure import Figure
from embedviz.figures.panels import Curve, Curves, Heat, panels
from embedviz.positions.common import first_and_second
from embedviz.programs.rows import of_positions
from embedviz.programs.schemes.positions import pytorch_by_distance, pytorch_lines
from embedviz.ui import OPTIONS, Card, Guide, Picture, Program, View, one_of, whole_number
from embedviz.vectors import position_tables
from embedviz.vectors.position_tables import KINDS, ByDistance, TableSettings
from pages.positions import table_words as words
from pages.positions.settings import Sizes, has_none, size_fields, table_settings

_COLOURS = ("var(--first-position)", "var(--second-position)")
_DASHES = ("solid", "dash")
_HEIGHT = ui.picture_height()


class Fields(NamedTuple):
    """Which table is shown, and what stands beside it: the position at a place, dimensions at two, or a curve."""

    settings: TableSettings
    kind: str
    along: str
    places: list[int]


class Table(NamedTuple):
    """The table, (L, D), and how alike its rows are by their distance."""

    fields: Fields
    rows: np.ndarray
    alike: ByDistance

    @property
    def lines(self) -> dict[int, np.ndarray]:
        """The rows or columns that stand beside the table, by their places."""
        return {at: self.rows[at] if self.is_row else self.rows[:, at] for at in self.fields.places}

    @property
    def is_row(self) -> bool:
        """Whether a row stands beside the table."""
        return self.fields.along == "position"

    @property
    def is_by_distance(self) -> bool:
        """Whether the curve of cosines stands beside the table."""
        return self.fields.along == "distance"


def fields(frame: ui.Frame, sizes: Sizes) -> Fields:
    """The table and what stands beside it. A message, and nothing after it, if the source has no such table."""
    settings = table_settings(frame, sizes)
    columns = st.columns([1.3, 2.3, 1, 1], vertical_alignment="top")
    kind = one_of(_("Table"), KINDS, key="kind", place=columns[0])
    if kind not in settings.kinds:
        has_none(settings.origin)
        ui.stop()
    with columns[1], ui.on_every_slide():
        along = one_of(_("Beside it"), OPTIONS["along"], key="along")
    return Fields(settings, kind, along, _places(along, settings, columns[2:]))


def _places(along: str, settings: TableSettings, columns: Sequence[DeltaGenerator]) -> list[int]:
    """The position that stands beside the table, or the two dimensions."""
    if along == "distance":
        return []
    if along == "position":
        last = settings.context_length - 1
        return [whole_number(_("Position"), 0, last, 1, key="picked_position", place=columns[0])]
    last = settings.output_dim - 1
    dimensions = ((_("Dimension"), 4, "picked_dimension"), (_("Other dimension"), 20, "other_dimension"))
    return [
        whole_number(label, 0, last, min(default, last), key=key, place=place)
        for (label, default, key), place in zip(dimensions, columns, strict=True)
    ]


def table(asked: Fields) -> Table:
    """The rows, and how alike they are."""
    rows = position_tables.table(asked.kind, asked.settings)
    return Table(asked, rows, position_tables.by_distance(rows))


def findings(result: Table) -> list[Card]:
    """What the numbers of the table are and, beside the curve, first whether near positions are more alike."""
    settings, kind, along, places = result.fields
    about = words.about_table(kind, settings, places if along == "dimension" else None)
    return [*words.about_distance(result.alike, kind, settings), *about] if result.is_by_distance else about


def figure(result: Table) -> Figure:
    """The table, and what stands beside it."""
    picked = list(zip(result.lines, _COLOURS, strict=False))
    rows, columns = (picked, []) if result.is_row else ([], picked)
    title = label_value(result.fields.kind, f"{result.rows.shape[0]} × {result.rows.shape[1]}")
    numbers = Heat(title, result.rows, _("dimension"), _("position"), rows=rows, columns=columns)
    return panels([numbers, _beside(result)], (1.2, 1))


def pictures(result: Table) -> list[Picture]:
    """The figure."""
    beside = (
        words.of_means(result.alike) if result.is_by_distance else words.of_lines(result.lines, is_row=result.is_row)
    )
    drawn = partial(ui.show, figure(result), key="table", alt=words.of_table(result.rows, beside), height=_HEIGHT)
    return [Picture(drawn)]


def program(result: Table) -> Program:
    """The table in PyTorch, and its rows to save."""
    settings, kind, along, places = result.fields
    text = (
        pytorch_by_distance(settings, kind) if result.is_by_distance else pytorch_lines(settings, kind, along, places)
    )
    return Program(text, _("A table of positions"), rows=partial(of_positions, settings))


def _beside(result: Table) -> Curves:
    """What stands beside the table."""
    if result.is_by_distance:
        return _cosines(result.alike)
    return _numbers_of(result) if result.is_row else _waves(result.lines)


def _waves(lines: Mapping[int, np.ndarray]) -> Curves:
    """Dimensions along the positions, each in the colour of its frame."""
    curves = [
        Curve(_("Dimension {n}", n=at), np.arange(len(line)), line, colour, dash=dash)
        for (at, line), colour, dash in zip(lines.items(), _COLOURS, _DASHES, strict=False)
    ]
    return Curves("", curves, _("position"), _("value"), names=True)


def _cosines(alike: ByDistance) -> Curves:
    """The mean cosine against the distance."""
    curve = Curve(_("cosine"), np.arange(len(alike.cosines)), alike.cosines)
    title = _("Mean cosine by distance")
    return Curves(title, [curve], _("distance"), _("cosine"), from_zero=True)


def _numbers_of(result: Table) -> Curves:
    """The numbers of one position as dots, and sines and cosines apart, since no line leads from one to the other."""
    settings, kind, _along, (at,) = result.fields
    line, x = result.rows[at], np.arange(result.rows.shape[1])
    sines, cosines = first_and_second(len(line), settings.layout)
    parts = [(_("sine"), sines), (_("cosine"), cosines)] if kind == "sinusoidal" else [(_("value"), slice(None))]
    curves = [
        Curve(name, x[those], line[those], colour, "markers", symbol=symbol)
        for (name, those), colour, symbol in zip(parts, _COLOURS, ("circle", "diamond"), strict=False)
    ]
    return Curves(_("Position {n}", n=at), curves, _("dimension"), _("value"), names=len(curves) > 1)


TABLE = View(
    page="positions",
    name="table",
    guide=Guide(
        N_("Each row belongs to a position. Beside the table are two of its columns, one of its rows, or a curve that "
           "falls if near positions are more alike than far ones."),
        N_("To a model that adds them, a position is these numbers, so no two rows should be the same."),
        "position positional sinusoidal dimension wavelength cosine training",
    ),
    settings=size_fields,
    fields=fields,
    compute=table,
    source=lambda asked: asked.settings.origin.name,
    findings=findings,
    pictures=pictures,
    program=program,
    examples=(
        {}, {"along": "position"}, {"along": "distance"}, {"output_dim": "7"},
        {"source": "trained", "kind": "learned"},
    ),
)  # fmt: skip
