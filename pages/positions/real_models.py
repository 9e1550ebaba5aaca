"""The view "Side by side" of the page "Positions": tables of several models, one beside the other."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.base.pages import page_at
from embedviz.figures.panels import Curve, Curves, Heat, panels
from embedviz.programs import positions as export
from embedviz.programs.rows import of_learned_tables
from embedviz.ui import BOUND, OPTIONS, Card, extent, literal, one_of, presenting, said_in_place, turns, whole_number
from embedviz.vectors.learned_tables import MOST_POSITIONS, MOST_TABLES, OFFERED, LearnedTable, as_long, learned_table
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.sources import Source, source_of

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
    if (n_common := len(found[0].rows)) < n_positions:
        st.caption(_("All are compared over the positions that the shortest of them has, {n}.", n=n_common))
    ui.cards([about(table) for table in found], key="about")
    looks = list(zip(_COLOURS, _DASHES, strict=True))[: len(found)]
    curves, heats = [], []
    for table, (colour, (dash, sign)) in zip(found, looks, strict=True):
        curves.append(_curve(table, colour, dash))
        title = table.source.title  # which has no room for the sign in a hall, where its colour says as much
        heats.append(_heat(table, heat, title if presenting.is_on() else f"{sign}\u00a0{title}", colour))
    means = Curves(_("Mean cosine by distance"), curves, _("distance"), _("cosine"), names=True)
    limit = _LIMIT if heat == "numbers" else 1.0
    figure = panels([means, *heats], [1.5] + [1] * len(found), limit)
    with ui.slide(brief=True):
        ui.show(figure, key="learned_tables", alt=alternative(found, heat), height=_HEIGHT)
    ui.aside(as_drawn(heat))
    sources, n_rows = [table.source for table in found], len(found[0].rows)
    program = export.pytorch_learned_tables(sources, n_rows, settings.output_dim, settings.seed)
    ui.program(program, _("Tables side by side"), rows=partial(of_learned_tables, found))


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
    return Heat(title, numbers, _("dimension"), _("position"), colour=colour, short=_("dim."))


def _curve(table: LearnedTable, colour: str, dash: str) -> Curve:
    title = table.source.title
    return Curve(title, np.arange(len(table.by_distance)), table.by_distance, colour, dash=dash)


def about(table: LearnedTable) -> Card:
    """Whether near positions are alike, and how large the numbers are."""
    (n_rows, n_dims), name = table.rows.shape, table.source.title
    near = table.near_is_alike
    if near:
        heading = _("{model}: near positions are alike", model=name)
    elif table.nearer_is_more_alike:
        heading = _("{model}: near positions are a little alike", model=name)
    else:
        heading = _("{model}: near positions are not more alike", model=name)
    mean = _(
        "The mean cosine is {near} between neighbours and {there} between positions that are {far} apart.",
        near=in_print(table.by_distance[1]),
        far=table.far,
        there=in_print(table.by_distance[table.far]),
    )
    sizes = {"n_rows": n_rows, "n_dims": n_dims, "spread": table.spread}
    numbers = _("{n_rows} × {n_dims:,} numbers of standard deviation {spread:.2g}.", **sizes)
    return Card(heading, paragraph([mean, numbers]), "same" if near else "plain")


def as_drawn(heat: str) -> str:
    """What the colours of the heatmaps mean."""
    if heat == "cosines":
        return _("Each heatmap shows the cosine of every two positions of one table.")
    return _(
        "Heatmaps show the first {n} dimensions. Each table is divided by its own standard deviation, so that "
        "patterns can be compared; colours end at {limit:g} standard deviations.",
        n=_MOST_DIMS,
        limit=_LIMIT,
    )


def alternative(learned_tables: Sequence[LearnedTable], heat: str) -> str:
    """The figure in words."""
    kind = _("Heatmaps of numbers") if heat == "numbers" else _("Heatmaps of the cosines of positions")
    each = [
        _(
            "{model}: {n_rows} positions, {extent}; mean cosine {near:.3f} at distance 1, {there:.3f} at {far}.",
            model=table.source.title,
            n_rows=len(table.rows),
            extent=extent(table.rows),
            near=table.by_distance[1],
            far=table.far,
            there=table.by_distance[table.far],
        )
        for table in learned_tables
    ]
    return paragraph([_("{kind}, and the mean cosine against distance.", kind=kind), *each])
