"""The lookup as a matrix product, and what that would cost."""

from functools import partial

from embedviz.export_lookup import pytorch_lookup
from embedviz.figures.matrices import Matrix, matrices
from embedviz.lookup import MODELS, Lookup, lookup_cost, one_hot_cost
from embedviz.takeaway import of_lookup
from embedviz.ui.cards import Card, cards
from embedviz.ui.lookups.settings import HEIGHT, alternative, ids, looked_up, names, output, table
from embedviz.ui.lookups.sizes import memory
from embedviz.ui.plot import show
from embedviz.ui.program import program

_GPT2 = next(model for model in MODELS if model.name == "GPT-2")


def one_hot(vocab_size: int, output_dim: int, seed: int) -> None:
    """The same as a matrix product, and what that would cost."""
    found = looked_up(ids(vocab_size), vocab_size, output_dim, seed)
    cards(_about_one_hot(found), key="about_one_hot")
    panels = [
        Matrix(
            found.one_hot,
            "one-hot",
            names(found.ids),
            found.ids,
            columns=[str(n) for n in range(vocab_size)],
            decimals=0,
        ),
        table(found, "×"),
        output(found.product, found.ids, "product", "="),
    ]
    show(matrices(panels), key="one_hot", alt=alternative(found), height=HEIGHT)
    program(
        pytorch_lookup(vocab_size, output_dim, seed, found.ids), "One-hot times a table", rows=partial(of_lookup, found)
    )


def _about_one_hot(found: Lookup) -> list[Card]:
    difference = found.largest_difference
    copying, product = lookup_cost(len(found.ids), _GPT2), one_hot_cost(len(found.ids), _GPT2)
    of = f"{len(found.ids)} IDs at GPT-2's size ({_GPT2.vocab_size:,} × {_GPT2.output_dim})"
    return [
        Card(
            "Equal" if difference == 0 else "Different",
            f"One-hot × table against the looked-up rows: largest difference {difference:g}.",
            "same" if difference == 0 else "different",
        ),
        Card("Lookup", f"{of}: {copying.multiplications} multiplications, {memory(copying.bytes_read)} read."),
        Card("Product", f"{of}: {product.multiplications:,} multiplications, {memory(product.bytes_read)} read."),
    ]
