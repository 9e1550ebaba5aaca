"""The view "One-hot" of the page "Lookup": the same lookup as a matrix product, and what this product would cost."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _, ngettext
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import Matrix, matrices
from embedviz.models.families import layout
from embedviz.ui import Guide, Picture, View
from embedviz.vectors.lookup import Lookup
from pages.lookup.settings import (
    HEIGHT,
    Result,
    alternative,
    fields,
    looked_up,
    names,
    output,
    program,
    settings,
    table,
)

_GPT2 = layout({"model_type": "gpt2"})


def figure(lookup: Lookup) -> Figure:
    """A row of ones and zeros for each ID, times the table."""
    ids, columns = lookup.ids, [str(n) for n in range(len(lookup.table))]
    ones = Matrix(lookup.one_hot, _("one-hot"), names(ids), ids, columns=columns, decimals=0, across=_("ID"))
    return matrices([ones, table(lookup, "×"), output(lookup.product, ids, _("product"), "=")])


def pictures(result: Result) -> list[Picture]:
    """The product."""
    alt = alternative(result.lookup)
    drawn = partial(ui.show, figure(result.lookup), key="one_hot", alt=alt, height=HEIGHT)
    return [Picture(drawn, is_brief=True)]


def about_one_hot(lookup: Lookup) -> list[ui.Card]:
    """That both ways give the same rows, and what the product would cost."""
    difference = lookup.largest_difference
    text = _("Largest difference between looking up and multiplying: {difference:g}.", difference=difference)
    cost = _(
        "At GPT-2's size, {n_rows:,} × {n_dims}, the product of {n} IDs takes {product:,} multiplications.",
        n_rows=_GPT2.vocab_size,
        n_dims=_GPT2.output_dim,
        n=len(lookup.ids),
        product=len(lookup.ids) * _GPT2.vocab_size * _GPT2.output_dim,
    )
    both = ui.Card(_("Both ways give the same rows"), text, "same")
    if difference:
        both = ui.Card(_("The two ways differ"), text, "different")
    n = lookup.one_hot.size * lookup.table.shape[1]
    title = ngettext(
        "This product takes {n:,} multiplication, a lookup none",
        "This product takes {n:,} multiplications, a lookup none",
        n,
    )
    return [both, ui.Card(title, cost)]


ONE_HOT = View(
    page="lookup",
    name="one-hot",
    guide=Guide(
        N_("Each row of the left matrix has a 1 in the column of its ID. Multiplying it by the table picks that row."),
        N_("The product shows why the lookup sends a gradient only to rows whose IDs occur. Other rows can still "
           "move: by weight decay, or if the output layer is the same table."),
        "one_hot table id gradient training",
    ),
    settings=settings,
    fields=fields,
    compute=looked_up,
    findings=lambda result: about_one_hot(result.lookup),
    pictures=pictures,
    program=lambda result: program(result, _("One-hot times a table")),
)  # fmt: skip
