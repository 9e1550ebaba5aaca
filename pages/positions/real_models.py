"""The view "Side by side" of the page "Positions": tables of several models, one beside the other."""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.base.pages import page_at
from embedviz.figures.panels import Curve, Curves, Heat, panels
from embedviz.programs import positions as export
from embedviz.programs.rows import of_learned_tables
from embedviz.ui import BOUND, OPTIONS, literal, one_of, presenting, said_in_place, turns, whole_number
from embedviz.vectors.learned_tables import MOST_POSITIONS, MOST_TABLES, OFFERED, LearnedTable, as_long, learned_table
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.sources import Source, source_of
from pages.positions import real_words

_HEIGHT = "clamp(18rem, calc(100vh - 27rem), 40rem)"
_MOST_DIMS = 64  # in a picture
_LIMIT = 3.0  # standard deviations, beyond which colours do not change
_COLOURS = ("var(--sequential-7)", "var(--ink)", "var(--diverging-7)")  # no token has these
_DASHES = (
    ("solid", "━"),
    ("dash", "╍"),
    ("dot", "···"),
)  # of the curves, and the sign for each before its model's name


def has_none(source: Source) -> None:
    """Say that a model has no table of positions, what it does instead, and where that can be seen."""
    st.info(literal(source.about_positions()), icon=":material/info:")
    if not presenting.is_on():
        st.page_link(page_at("relative").script, label=_("See it on the page Relative"), icon=":material/straighten:")


def real_models(settings: TableSettings) -> None:
    """Show the tables of up to three sources, and how alike their positions are."""
    names, n_positions, heat = _fields()
    found = as_long([table for n, name in enumerate(names) if (table := _table(n, name, n_positions, settings))])
    if not found:
        if not names:
            st.info(_("No model is picked: pick one, or type its name on the Hub."), icon=":material/edit:")
        return
    ui.cards([real_words.about(table) for table in found], key="about")
    looks = list(zip(_COLOURS, _DASHES, strict=True))[: len(found)]
    parts = [
        Curves(
            _("Mean cosine by distance"),
            [_curve(table, colour, dash) for table, (colour, (dash, _sign)) in zip(found, looks, strict=True)],
            _("distance"),
            _("cosine"),
            names=True,
        ),
        *(_heat(table, heat, f"{sign}\u00a0{table.source.title}", colour)
          for table, (colour, (_dash, sign)) in zip(found, looks, strict=True)),
    ]  # fmt: skip
    limit = _LIMIT if heat == "numbers" else 1.0
    figure = panels(parts, [1.5] + [1] * len(found), limit)
    with ui.slide(brief=True):
        ui.show(figure, key="learned_tables", alt=real_words.alternative(found, heat), height=_HEIGHT)
    ui.aside(real_words.as_drawn(found, heat, _MOST_DIMS, _LIMIT))
    sources = [table.source for table in found]
    ui.program(
        export.pytorch_learned_tables(sources, len(found[0].rows), settings.output_dim, settings.seed),
        _("Tables side by side"),
        rows=partial(of_learned_tables, found),
    )


def _fields() -> tuple[list[str], int, str]:
    which, many, shown = st.columns([4, 1, 1.6], vertical_alignment="top")
    with which:
        names = st.multiselect(
            _("Tables, up to {n}", n=MOST_TABLES),
            OFFERED,
            ["sinusoidal", "random", "trained"],
            key="learned_tables",
            max_selections=MOST_TABLES,
            accept_new_options=True,
            placeholder=_("Pick a model, or type owner/name"),
            help=_(
                "sinusoidal: the formula. random: untrained numbers. trained: the small GPT of the page Training. All "
                "others are read from the Hugging Face Hub: pick one, or type the name of any other, such as "
                "facebook/opt-350m."
            ),
            **BOUND,
        )
    n_positions = whole_number(_("Positions"), 2, MOST_POSITIONS, 128, key="n_positions", place=many)
    with shown, ui.on_every_slide():
        heat = one_of(_("Heatmaps of"), OPTIONS["heat"], key="heat")
    return [name.strip() for name in names], n_positions, heat


def _table(n: int, name: str, n_positions: int, settings: TableSettings) -> LearnedTable | None:
    """The table, or a message in its place, so that the others are shown all the same."""
    with said_in_place(name, key=f"try_again_{n}"):
        with turns.pause():  # rows of a model may come from the Hub
            found = learned_table(name, n_positions, settings.output_dim, settings.seed)
        if not found:
            has_none(source_of(name))
        return found
    return None


def _heat(table: LearnedTable, heat: str, title: str, colour: str) -> Heat:
    if heat == "cosines":
        return Heat(title, table.cosines.astype(np.float32), _("position"), _("position"), colour=colour)
    numbers = table.rows[:, :_MOST_DIMS] / (table.spread or 1)
    return Heat(title, numbers, _("dimension"), _("position"), colour=colour)


def _curve(table: LearnedTable, colour: str, dash: str) -> Curve:
    title = table.source.title
    return Curve(title, np.arange(len(table.by_distance)), table.by_distance, colour, dash=dash)
