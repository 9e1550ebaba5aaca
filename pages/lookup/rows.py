"""The table, the IDs, and the rows that they pick."""

from collections import Counter
from functools import partial

from embedviz import ui
from embedviz.base.i18n import _, listed, ngettext
from embedviz.figures.matrices import matrices
from embedviz.figures.theme import token_colours
from embedviz.programs.inputs import pytorch_lookup
from embedviz.programs.rows import of_lookup
from embedviz.vectors.lookup import Lookup, ids_of
from pages.lookup.settings import HEIGHT, alternative, looked_up, output, table, table_settings


def rows(page: ui.Frame) -> None:
    """The table, the IDs, and the rows that they pick."""
    typed, vocab_size, output_dim, seed = table_settings(page)
    found = looked_up(typed, vocab_size, output_dim, seed)
    ui.cards(_about_rows(found), key="about_rows")
    colours = token_colours(found.ids)
    links = [(id_, n, colours[id_]) for n, id_ in enumerate(found.ids)]
    figure = matrices([table(found), output(found.rows, found.ids, _("output"), "")], links)
    with ui.slide(brief=True):
        ui.show(figure, key="rows", alt=alternative(found), height=HEIGHT)
    program = pytorch_lookup(vocab_size, output_dim, seed, found.ids)
    ui.program(program, _("Rows of a table"), rows=partial(of_lookup, found))


def _about_rows(lookup: Lookup) -> list[ui.Card]:
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
