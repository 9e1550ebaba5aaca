"""The table, the IDs, and the rows that they pick."""

from collections import Counter
from functools import partial

from embedviz import ui
from embedviz.base.i18n import _, ngettext
from embedviz.figures.matrices import matrices
from embedviz.figures.theme import token_colours
from embedviz.programs.lookup import pytorch_lookup
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
    ui.program(
        pytorch_lookup(vocab_size, output_dim, seed, found.ids), _("Rows of a table"), rows=partial(of_lookup, found)
    )


def _about_rows(lookup: Lookup) -> list[ui.Card]:
    last = max(lookup.ids)
    about = [
        ui.Card(
            _("ID {last} picks row {last}, which is number {number} from the top", last=last, number=last + 1),
            _(
                "IDs count from 0, so a table of {rows} has {ids}.",
                rows=ngettext("{n:,} row", "{n:,} rows", len(lookup.table)),
                ids=ids_of(len(lookup.table)),
            ),
        ),
        ui.Card(
            _(
                "{ids} in, {rows} out",
                ids=ngettext("{n:,} ID", "{n:,} IDs", len(lookup.ids)),
                rows=ngettext("{n:,} row", "{n:,} rows", len(lookup.ids)),
            ),
            _(
                "Shape ({n},) becomes ({n}, {n_dims}). Nothing is multiplied or added.",
                n=len(lookup.ids),
                n_dims=lookup.table.shape[1],
            ),
        ),
    ]
    id_, times = Counter(lookup.ids).most_common(1)[0]
    if times > 1:
        places = ", ".join(str(n) for n, other in enumerate(lookup.ids) if other == id_)
        about.append(
            ui.Card(
                _("ID {id}: one row, {times} times", id=id_, times=times),
                _("Output rows {places} are the same numbers, wherever they stand.", places=places),
                "same",
            )
        )
    return about
