"""The view that shows the lookup as a matrix product, and what this product would cost."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.lookup import pytorch_lookup
from embedviz.programs.rows import of_lookup
from embedviz.vectors.lookup import MODELS, Lookup, lookup_cost, one_hot_cost
from pages.lookup.settings import HEIGHT, alternative, looked_up, names, output, table, table_settings
from pages.lookup.sizes import memory

_GPT2 = next(model for model in MODELS if model.name == "GPT-2")


def one_hot(page: ui.Frame) -> None:
    """Show the same lookup as a matrix product, and what this product would cost."""
    typed, vocab_size, output_dim, seed = table_settings(page)
    found = looked_up(typed, vocab_size, output_dim, seed)
    ui.cards(_about_one_hot(found), key="about_one_hot")
    panels = [
        Matrix(
            found.one_hot,
            _("one-hot"),
            names(found.ids),
            found.ids,
            columns=[str(n) for n in range(vocab_size)],
            decimals=0,
        ),
        table(found, "×"),
        output(found.product, found.ids, _("product"), "="),
    ]
    with ui.slide():
        ui.show(matrices(panels), key="one_hot", alt=alternative(found), height=HEIGHT)
    ui.program(
        pytorch_lookup(vocab_size, output_dim, seed, found.ids),
        _("One-hot times a table"),
        rows=partial(of_lookup, found),
    )


def _about_one_hot(lookup: Lookup) -> list[ui.Card]:
    difference = lookup.largest_difference
    copying, product = lookup_cost(len(lookup.ids), _GPT2), one_hot_cost(len(lookup.ids), _GPT2)
    of = _(
        "{n} IDs at GPT-2's size ({n_rows:,} × {n_dims})",
        n=len(lookup.ids),
        n_rows=_GPT2.vocab_size,
        n_dims=_GPT2.output_dim,
    )
    return [
        ui.Card(
            _("Equal") if difference == 0 else _("Different"),
            _(
                "Multiplying gives the same rows as looking them up: largest difference {difference:g}.",
                difference=difference,
            ),
            "same" if difference == 0 else "different",
        ),
        ui.Card(
            _("Lookup"),
            _(
                "{of}: {n} multiplications, {size} read.",
                of=of,
                n=copying.multiplications,
                size=memory(copying.bytes_read),
            ),
        ),
        ui.Card(
            _("Product"),
            _(
                "{of}: {n:,} multiplications, {size} read.",
                of=of,
                n=product.multiplications,
                size=memory(product.bytes_read),
            ),
        ),
    ]
