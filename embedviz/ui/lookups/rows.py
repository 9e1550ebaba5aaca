"""The table, the IDs, and the rows that they pick."""

from collections import Counter
from functools import partial

from embedviz.export_lookup import pytorch_lookup
from embedviz.figures.matrices import matrices
from embedviz.lookup import Lookup, ids_of
from embedviz.takeaway import of_lookup
from embedviz.ui.cards import Card, cards
from embedviz.ui.lookups.settings import HEIGHT, alternative, ids, looked_up, output, table
from embedviz.ui.plot import show
from embedviz.ui.program import program
from embedviz.wording import counted


def rows(vocab_size: int, output_dim: int, seed: int) -> None:
    """The table, the IDs, and the rows that they pick."""
    found = looked_up(ids(vocab_size), vocab_size, output_dim, seed)
    cards(_about_rows(found), key="about_rows")
    show(
        matrices([table(found), output(found.rows, found.ids, "output", "→")]),
        key="rows",
        alt=alternative(found),
        height=HEIGHT,
    )
    program(pytorch_lookup(vocab_size, output_dim, seed, found.ids), "Rows of a table", rows=partial(of_lookup, found))


def _about_rows(found: Lookup) -> list[Card]:
    last = max(found.ids)
    about = [
        Card(
            f"ID {last} is row number {last + 1}",
            f"IDs count from 0, so a table of {counted(len(found.table), 'row')} has {ids_of(len(found.table))}.",
        ),
        Card(
            f"{counted(len(found.ids), 'ID')} in, {counted(len(found.ids), 'row')} out",
            f"Shape ({len(found.ids)},) becomes ({len(found.ids)}, {found.table.shape[1]}). "
            "Nothing is multiplied or added.",
        ),
    ]
    id_, times = Counter(found.ids).most_common(1)[0]
    if times > 1:
        places = ", ".join(str(n) for n, other in enumerate(found.ids) if other == id_)
        about.append(
            Card(
                f"ID {id_}: one row, {times} times",
                f"Output rows {places} are the same numbers, wherever they stand.",
                "same",
            )
        )
    return about
