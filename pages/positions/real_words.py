"""What the view "Side by side" of the page "Positions" says: every sentence follows from the numbers of a table."""

from collections.abc import Sequence

from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.ui import Card, extent
from embedviz.vectors.learned_tables import LearnedTable


def about(table: LearnedTable) -> Card:
    """Whether near positions are alike, and how large the numbers are."""
    n_rows, n_dims = table.rows.shape
    name = table.source.title
    near = table.near_is_alike
    if near:
        heading = _("{model}: near positions are alike", model=name)
    elif table.nearer_is_more_alike:
        heading = _("{model}: near positions are a little alike", model=name)
    else:
        heading = _("{model}: near positions are not more alike", model=name)
    said = [
        _(
            "The mean cosine is {near} between neighbours and {there} between positions that are {far} apart.",
            near=in_print(table.by_distance[1]),
            far=table.far,
            there=in_print(table.by_distance[table.far]),
        ),
        _(
            "{n_rows} × {n_dims:,} numbers of standard deviation {spread:.2g}.",
            n_rows=n_rows,
            n_dims=n_dims,
            spread=table.spread,
        ),
    ]
    return Card(heading, paragraph(said), "same" if near else "plain")


def as_drawn(tables: Sequence[LearnedTable], heat: str, most_dims: int, limit: float) -> str:
    """How far the tables go, and what the colours of the heatmaps mean."""
    rows = _("All are compared over the positions that the shortest of them has, {n}.", n=len(tables[0].rows))
    if heat == "cosines":
        return paragraph([rows, _("Each heatmap shows the cosine of every two positions of one table.")])
    colours = _(
        "Heatmaps show the first {n} dimensions. Each table is divided by its own standard deviation, so that "
        "patterns can be compared; colours end at {limit:g} standard deviations.",
        n=most_dims,
        limit=limit,
    )
    return paragraph([rows, colours])


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
