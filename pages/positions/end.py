"""The view "Past the end" of the page "Positions": a text that is longer than the learned table."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, ngettext
from embedviz.figures.figure import Figure
from embedviz.figures.panels import Heat, panels
from embedviz.positions import sinusoidal
from embedviz.programs.schemes.positions import pytorch_past_the_end
from embedviz.ui import BOUND, Card, Guide, Picture, Program, View, challenges, extent
from embedviz.vectors import position_tables
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.position_tables import MAX_POSITIONS, TableSettings
from pages.positions.settings import Sizes, has_none, size_fields, table_settings

_HEIGHT = ui.picture_height()


class Fields(NamedTuple):
    """The tables, and the length of a text in tokens."""

    settings: TableSettings
    length: int


class PastTheEnd(NamedTuple):
    """What both tables have for a text: (T, D), NaN where the learned one has no rows. error: what PyTorch says."""

    fields: Fields
    learned: np.ndarray
    sinusoidal: np.ndarray
    error: str | None


def fields(frame: ui.Frame, sizes: Sizes) -> Fields:
    """A length that may pass the end of the learned table. A message, and nothing after it, if there is no table."""
    settings = table_settings(frame, sizes)
    end = settings.context_length
    if "learned" not in settings.kinds:
        has_none(settings.origin)
        ui.stop()
    if settings.origin.layout():
        named = {"title": settings.origin.title, "last": settings.rows_of_source - 1}
        st.info(_("The table of {title} goes on to row {last:,}; here it is cut, to see what an end does.", **named))
    most = min(2 * end, MAX_POSITIONS)
    with ui.on_every_slide():
        default = min(most, end + max(1, end // 4))  # a text that the table is too short for
        return Fields(settings, st.slider(_("Length of the text (tokens)"), 1, most, default, key="length", **BOUND))


def past_the_end(asked: Fields) -> PastTheEnd:
    """The rows of both tables for the text."""
    settings, length = asked
    learned = np.full((length, settings.output_dim), np.nan, np.float32)
    kept = min(length, settings.context_length)
    learned[:kept] = position_tables.table("learned", settings)[:kept]
    formula = sinusoidal.table(length, settings.output_dim, base=settings.base, layout=settings.layout)
    error = pytorch_error(settings.context_length, settings.output_dim, range(length))
    return PastTheEnd(asked, learned, formula, error)


def findings(result: PastTheEnd) -> list[Card]:
    """What the length does to each table."""
    return about_end(result.fields.length, result.fields.settings, result.error)


def claim(result: PastTheEnd) -> list[Card]:
    """Whether the text is longer than the learned table."""
    end = result.fields.settings.context_length
    if result.fields.length <= end:
        return [Card(_("Both tables have a row for each position of this text"), "")]
    return [Card(_("The learned table ends at row {last}, and the formula goes on", last=end - 1), "")]


def figure(result: PastTheEnd) -> Figure:
    """Both tables, each under what is found of it."""
    settings, length = result.fields
    missing = {"first": settings.context_length, "last": length - 1}
    notes = _("no rows {first} to {last}", **missing) if length > settings.context_length else "", ""
    tables = zip(findings(result), (result.learned, result.sinusoidal), notes, strict=True)
    return panels(
        [Heat(card.title, rows, _("dimension"), _("position"), note=said) for card, rows, said in tables], (1, 1)
    )


def alternative(result: PastTheEnd) -> str:
    """The tables for those who cannot see them."""
    settings, length = result.fields
    kept = min(length, settings.context_length)
    return _(
        "Learned rows for {kept} of {length} positions, numbers {learned}; sinusoidal rows for all "
        "{length}, numbers {sinusoidal}.",
        kept=kept,
        length=length,
        learned=extent(result.learned[:kept]),
        sinusoidal=extent(result.sinusoidal),
    )


def pictures(result: PastTheEnd) -> list[Picture]:
    """Both tables."""
    drawn = partial(ui.show, figure(result), key="end", alt=alternative(result), height=_HEIGHT)
    return [Picture(drawn)]


def when_shown(result: PastTheEnd) -> None:
    """A challenge asks for a length."""
    challenges.check("past-the-end", result.fields.length, result.fields.settings)


def program(result: PastTheEnd) -> Program:
    """Both tables in PyTorch."""
    settings, length = result.fields
    return Program(pytorch_past_the_end(settings, length), _("Past the end of a table"))


def about_end(length: int, settings: TableSettings, error: str | None) -> list[Card]:
    """What a length past the table does."""
    end = settings.context_length
    if error is None:
        text = _("The text needs rows 0 to {last} of 0 to {last_row}.", last=length - 1, last_row=end - 1)
        formula = Card(_("Sinusoidal: likewise"), _("A formula has no end."))
        return [Card(_("Learned: every position has a row"), text), formula]
    text = _("PyTorch says: {error}. The table has the rows 0 to {last_row}.", error=error, last_row=end - 1)
    rows = ngettext("{n:,} row", "{n:,} rows", length - end)
    more = _("The same formula gives {rows} more. Models rarely do well there (Press et al. 2021).", rows=rows)
    return [Card(_("Learned: an error, no row {end}", end=end), text, "wrong"), Card(_("Sinusoidal: goes on"), more)]


END = View(
    page="positions",
    name="end",
    guide=Guide(
        N_("Move the length of the text past the end of the learned table and see which of the two tables still has "
           "rows."),
        N_("A table sets a limit to the length of a text. A formula sets none, but a model may still fail beyond what "
           "it was trained on."),
        "position positional sinusoidal absolute training",
    ),
    settings=size_fields,
    fields=fields,
    compute=past_the_end,
    source=lambda asked: asked.settings.origin.name,
    claim=claim,
    findings=findings,
    pictures=pictures,
    program=program,
    when_shown=when_shown,
    examples=({}, {"length": "20", "context_length": "30"}),
)  # fmt: skip
