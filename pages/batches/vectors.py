"""A batch as vectors."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.matrices import Matrix, matrices
from embedviz.ui import turns
from embedviz.vectors.batches import Batch, Embeddings, Loader, embed_batch
from embedviz.vectors.spec import Spec


def embedded(chosen: Batch, loader: Loader) -> Embeddings:
    """The batch through both embedding layers, in the library's default size."""
    with turns.pause():
        return embed_batch(chosen, loader.tokens.vocab_size, Spec())


def three_vectors(embeddings: Embeddings, row: int, step: int, name: str) -> None:
    """Token, position and sum of one cell, with the first of their numbers."""
    parts = (
        (_("token, first 4 numbers"), embeddings.token_embeddings[row, step], ""),
        (_("positional"), embeddings.positional_embeddings[step], "+"),
        (_("input"), embeddings.input_embeddings[row, step], "="),
    )
    panels = [Matrix(values[None, :4], title, [name], [step], sign) for title, values, sign in parts]
    alt = "; ".join(f"{title} {', '.join(f'{number:.4f}' for number in values[:4])}" for title, values, _ in parts)
    with ui.slide("cell"):
        ui.show(matrices(panels), key="cell", alt=_("Cell {name}: {alt}.", name=name, alt=alt), height="7rem")
