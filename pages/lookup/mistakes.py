"""The view on two classic mistakes: an ID past the table, and vocab_size in the place of context_length."""

from collections.abc import Sequence

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.lookup import pytorch_mistake
from embedviz.ui.alt_text import extent
from embedviz.ui.fields import BOUND
from embedviz.vectors.lookup import ids_of, pytorch_error
from pages.lookup.settings import HEIGHT, any_ids, names, table_settings, weights


def mistakes(page: ui.Frame) -> None:
    """An ID past the table, and vocab_size given where context_length belongs."""
    typed, vocab_size, output_dim, seed = table_settings(page)
    ids = any_ids(typed)
    swapped = st.toggle(
        _("Swap vocab_size and context_length (4)"),
        key="swapped",
        help=_("nn.Embedding(context_length, output_dim) where nn.Embedding(vocab_size, output_dim) is meant."),
        **BOUND,
    )
    n_rows = 4 if swapped else vocab_size
    error = pytorch_error(n_rows, output_dim, ids)
    ui.cards(_about_mistake(ids, n_rows, error, swapped), key="about_mistake")
    shown = weights(n_rows, output_dim, seed)
    with ui.slide():
        ui.show(
            matrices(
                [
                    Matrix(
                        shown,
                        f"nn.Embedding({n_rows}, {output_dim})",
                        names(range(n_rows)),
                        list(range(n_rows)),
                    )
                ]
            ),
            key="mistake",
            alt=_(
                "A table of {rows} and {dimensions}, numbers {extent}.",
                rows=ngettext("{n:,} row", "{n:,} rows", n_rows),
                dimensions=ngettext("{n:,} dimension", "{n:,} dimensions", output_dim),
                extent=extent(shown),
            ),
            height=HEIGHT,
        )
    ui.program(pytorch_mistake(n_rows, output_dim, seed, ids), _("An ID past the table"))


def _about_mistake(ids: Sequence[int], n_rows: int, error: str | None, swapped: bool) -> list[ui.Card]:
    if error is None:
        text = _("Every ID is below {n_rows}, so each has a row.", n_rows=n_rows)
        if swapped:
            text = paragraph([text, _("The table is the wrong one all the same: such a mistake goes unnoticed.")])
        return [ui.Card(_("PyTorch raises no error"), text, "plain")]
    missing = next(id_ for id_ in ids if not 0 <= id_ < n_rows)
    plain = _(
        "There is no row {missing}: nn.Embedding({n_rows}, …) has {ids}.",
        missing=missing,
        n_rows=n_rows,
        ids=ids_of(n_rows),
    )
    return [ui.Card(_("PyTorch says: {error}", error=error), plain, "different")]
