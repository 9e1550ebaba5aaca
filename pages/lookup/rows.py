"""The view "Rows" of the page "Lookup": the table, the IDs, and the rows that they pick."""

from collections import Counter
from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _, listed, ngettext
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import matrices
from embedviz.figures.theme import token_colours
from embedviz.ui import Guide, Picture, View
from embedviz.vectors.lookup import Lookup, ids_of
from pages.lookup.settings import HEIGHT, Result, alternative, fields, looked_up, output, program, settings, table


def figure(lookup: Lookup) -> Figure:
    """The table, and lines from its rows to those of the output."""
    colours = token_colours(lookup.ids)
    links = [(id_, n, colours[id_]) for n, id_ in enumerate(lookup.ids)]
    return matrices([table(lookup), output(lookup.rows, lookup.ids, _("output"), "")], links)


def pictures(result: Result) -> list[Picture]:
    """The table and the output."""
    alt = alternative(result.lookup)
    drawn = partial(ui.show, figure(result.lookup), key="rows", alt=alt, height=HEIGHT)
    return [Picture(drawn, is_brief=True)]


def about_rows(lookup: Lookup) -> list[ui.Card]:
    """Which row the largest ID picks, how many there are, and an ID that comes again."""
    last, n, (n_rows, n_dims) = max(lookup.ids), len(lookup.ids), lookup.table.shape
    picked = _("ID {last} picks row {last}, which is number {number} from the top", last=last, number=last + 1)
    rows = ngettext("{n:,} row", "{n:,} rows", n_rows)
    counted = _("IDs count from 0, so a table of {rows} has {ids}.", rows=rows, ids=ids_of(n_rows))
    ids, rows = ngettext("{n:,} ID", "{n:,} IDs", n), ngettext("{n:,} row", "{n:,} rows", n)
    shape = _("Shape ({n},) becomes ({n}, {n_dims}). Nothing is multiplied or added.", n=n, n_dims=n_dims)
    about = [ui.Card(picked, counted), ui.Card(_("{ids} in, {rows} out", ids=ids, rows=rows), shape)]
    id_, times = Counter(lookup.ids).most_common(1)[0]
    if times > 1:
        places = listed(str(place) for place, other in enumerate(lookup.ids) if other == id_)
        same = _("Output rows {places} are the same numbers, wherever they stand.", places=places)
        about.append(ui.Card(_("ID {id}: one row, {times} times", id=id_, times=times), same, "same"))
    return about


ROWS = View(
    page="lookup",
    name="rows",
    guide=Guide(
        N_("Each ID picks the row of its number, counted from 0. The output is these rows, in the order of the IDs."),
        N_("Nearly every language model of today begins like this: its text becomes IDs, and the IDs become rows of a "
           "table that it has learned."),
        "id table vector dimension vocabulary",
    ),
    settings=settings,
    fields=fields,
    compute=looked_up,
    findings=lambda result: about_rows(result.lookup),
    pictures=pictures,
    program=lambda result: program(result, _("Rows of a table")),
    examples=({}, {"ids": "5, 1, 5"}, {"ids": "cat4"}),
)  # fmt: skip
