"""The view on two classic mistakes: vocab_size in the place of context_length, and an ID past the table."""

from collections.abc import Sequence

import numpy as np

from embedviz import ui
from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.lookup import pytorch_mistake
from embedviz.ui.alt_text import extent
from embedviz.vectors.lookup import ids_of, pytorch_error
from pages.lookup.settings import HEIGHT, any_ids, names, table_settings, weights

_CONTEXT_LENGTH = 4  # what is given where vocab_size belongs


def mistakes(page: ui.Frame) -> None:
    """The same IDs in the table of a wrong call, and in that of the right one."""
    typed, vocab_size, output_dim, seed = table_settings(page)
    ids = any_ids(typed)
    errors = {n_rows: pytorch_error(n_rows, output_dim, ids) for n_rows in (_CONTEXT_LENGTH, vocab_size)}
    wrong = _about(ids, _CONTEXT_LENGTH, errors[_CONTEXT_LENGTH], is_wrong=vocab_size != _CONTEXT_LENGTH)
    right = _about(ids, vocab_size, errors[vocab_size])
    ui.cards([wrong, right], key="about_mistake")
    calls = (("context_length", _CONTEXT_LENGTH), ("vocab_size", vocab_size))
    tables = [weights(n_rows, output_dim, seed) for _name, n_rows in calls]
    panels = [
        _looked_up(ids, f"nn.Embedding({n_rows},\u00a0{output_dim})  # {name}", table)
        for (name, n_rows), table in zip(calls, tables, strict=True)
    ]
    with ui.slide(brief=True):
        numbers, named, said = extent(*tables), ", ".join(map(str, ids)), paragraph([wrong.text, right.text])
        alt = _("The IDs {ids} in two tables of numbers {extent}. {said}", ids=named, extent=numbers, said=said)
        ui.show(matrices(panels), key="mistake", alt=alt, height=HEIGHT)
    ui.program(pytorch_mistake(list(errors), output_dim, seed, ids), _("A table with too few rows"))


def _looked_up(ids: Sequence[int], title: str, table: np.ndarray) -> Matrix:
    """The rows of the IDs, and an empty row for each ID that has none."""
    rows, called = [], []
    for id_, name in zip(ids, names(ids), strict=True):
        is_known = 0 <= id_ < len(table)
        rows.append(table[id_] if is_known else np.full(table.shape[1], np.nan, np.float32))
        called.append(name if is_known else _("{id}: no row", id=name))
    return Matrix(np.stack(rows), title, called, list(ids))


def _about(ids: Sequence[int], n_rows: int, error: str | None, *, is_wrong: bool = False) -> ui.Card:
    rows = ngettext("{n:,} row", "{n:,} rows", n_rows)
    if error is None:
        text = _("Every ID is below {n_rows}, so each has a row.", n_rows=n_rows)
        if is_wrong:
            text = paragraph([text, _("The table is the wrong one all the same: such a mistake goes unnoticed.")])
        title = _("With {rows} PyTorch raises no error", rows=rows)
        return ui.Card(title, text, "plain" if is_wrong else "same")
    missing = next(id_ for id_ in ids if not 0 <= id_ < n_rows)
    plain = _("There is no row {missing}: a table of {rows} has {ids}.", missing=missing, rows=rows, ids=ids_of(n_rows))
    return ui.Card(_("With {rows} PyTorch says: {error}", rows=rows, error=error), plain, "different")
