"""An ID past the table, and vocab_size given where context_length belongs."""

from collections.abc import Sequence

import streamlit as st

from embedviz.export_lookup import pytorch_mistake
from embedviz.figures.matrices import Matrix, matrices
from embedviz.lookup import ids_of, pytorch_error
from embedviz.ui.alternatives import extent
from embedviz.ui.cards import Card, cards
from embedviz.ui.lookups.settings import HEIGHT, ids, names, weights
from embedviz.ui.plot import show
from embedviz.ui.program import program
from embedviz.wording import counted


def mistakes(vocab_size: int, output_dim: int, seed: int) -> None:
    """An ID past the table, and vocab_size given where context_length belongs."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        typed = ids(vocab_size, allow_any=True)
    with right:
        swapped = st.toggle(
            "Swap vocab_size and context_length (4)",
            key="swapped",
            help="nn.Embedding(context_length, output_dim) where nn.Embedding(vocab_size, output_dim) is meant.",
            bind="query-params",
        )
    n_rows = 4 if swapped else vocab_size
    error = pytorch_error(n_rows, output_dim, typed)
    cards(_about_mistake(typed, n_rows, error, swapped), key="about_mistake")
    shown = weights(n_rows, output_dim, seed)
    show(
        matrices([Matrix(shown, f"nn.Embedding({n_rows}, {output_dim})", names(range(n_rows)), list(range(n_rows)))]),
        key="mistake",
        alt=f"A table of {counted(n_rows, 'row')} and {counted(output_dim, 'dimension')}, numbers {extent(shown)}.",
        height=HEIGHT,
    )
    program(pytorch_mistake(n_rows, output_dim, seed, typed), "An ID past the table")


def _about_mistake(ids: Sequence[int], n_rows: int, error: str | None, swapped: bool) -> list[Card]:
    if error is None:
        text = f"Every ID is below {n_rows}, so each has a row."
        if swapped:
            text += " The table is the wrong one all the same: such a mistake goes unnoticed."
        return [Card("PyTorch says nothing", text, "plain")]
    missing = next(id_ for id_ in ids if not 0 <= id_ < n_rows)
    plain = f"There is no row {missing}: nn.Embedding({n_rows}, …) has {ids_of(n_rows)}."
    return [Card(f"PyTorch says: {error}", plain, "different")]
