"""The view "Rows" of the page "Lookup": the table, the IDs, and the rows that they pick."""

from collections import Counter
from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _, listed, ngettext
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import matrices
from embedviz.ui import Guide, Picture, Program, View
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.lookup import Lookup, ids_of
from pages.lookup import sentence_rows
from pages.lookup.sentence_rows import Sentences, Settings
from pages.lookup.settings import (
    HEIGHT,
    Asked,
    Result,
    alternative,
    looked_up,
    output,
    own_ids,
    program,
    sentences_or_ids,
    table,
)


def fields(frame: ui.Frame, settings: Settings) -> Sentences | Asked:
    """Both sentences, or IDs of one's own."""
    texts, place = sentences_or_ids(frame)
    if texts is None:
        return own_ids(frame, place)
    return sentence_rows.cut(frame, texts, settings)


def rows(asked: Sentences | Asked) -> Comparison | Result:
    """What is looked up."""
    return sentence_rows.looked_up(asked) if isinstance(asked, Sentences) else looked_up(asked)


def figure(result: Result) -> Figure:
    """The table, and lines from its rows to those of the output."""
    return matrices([table(result), output(result, result.lookup.rows, _("output"))], linked=True)


def pictures(result: Comparison | Result) -> list[Picture]:
    """The table and the output."""
    if isinstance(result, Comparison):
        return sentence_rows.pictures(result)
    alt = alternative(result.lookup)
    drawn = partial(ui.show, figure(result), key="rows", alt=alt, height=HEIGHT)
    return [Picture(drawn)]


def findings(result: Comparison | Result) -> list[ui.Card]:
    """Which rows are picked."""
    return sentence_rows.findings(result) if isinstance(result, Comparison) else about_rows(result.lookup)


def as_program(result: Comparison | Result) -> Program:
    """The lookup in PyTorch."""
    title = _("Rows of a table")
    return sentence_rows.program(result, title) if isinstance(result, Comparison) else program(result, title)


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
    settings=sentence_rows.settings,
    fields=fields,
    compute=rows,
    findings=findings,
    pictures=pictures,
    program=as_program,
    examples=({}, {"a": "The cat", "b": "the dog 猫"}, {"source": "random"}, {"ids": "5, 1, 5"}, {"ids": "cat4"}),
)  # fmt: skip
