"""The view that shows the lookup as a matrix product."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _, ngettext
from embedviz.figures.matrices import Matrix, matrices
from embedviz.models.families import layout
from embedviz.programs.inputs import pytorch_lookup
from embedviz.programs.rows import of_lookup
from embedviz.vectors.lookup import Lookup
from pages.lookup.settings import HEIGHT, alternative, looked_up, names, output, table, table_settings

_GPT2 = layout({"model_type": "gpt2"})


def one_hot(page: ui.Frame) -> None:
    """Show the same lookup as a matrix product, and what this product would cost."""
    typed, vocab_size, output_dim, seed = table_settings(page)
    found = looked_up(typed, vocab_size, output_dim, seed)
    ui.cards(_about_one_hot(found), key="about_one_hot")
    columns = [str(n) for n in range(vocab_size)]
    ones = Matrix(found.one_hot, _("one-hot"), names(found.ids), found.ids, columns=columns, decimals=0, across=_("ID"))
    panels = [ones, table(found, "×"), output(found.product, found.ids, _("product"), "=")]
    with ui.slide(brief=True):
        ui.show(matrices(panels), key="one_hot", alt=alternative(found), height=HEIGHT)
    program = pytorch_lookup(vocab_size, output_dim, seed, found.ids)
    ui.program(program, _("One-hot times a table"), rows=partial(of_lookup, found))


def _about_one_hot(lookup: Lookup) -> list[ui.Card]:
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
