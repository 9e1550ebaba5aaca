"""What the views of "Lookup" share: what is looked up, the small table, and how both are drawn."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.checks import MAX_SEED
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext, translated
from embedviz.figures.matrices import Matrix
from embedviz.programs.inputs import pytorch_lookup
from embedviz.programs.rows import of_lookup
from embedviz.text.tokens import tokenize
from embedviz.text.visible import in_figure
from embedviz.ui import (
    OPTIONS,
    Frame,
    Program,
    extent,
    mistake_place,
    one_of,
    picture_height,
    show_error,
    text_within,
    whole_number,
)
from embedviz.ui.inputs import sentences
from embedviz.vectors import tables
from embedviz.vectors.lookup import Lookup, check_ids, look_up, parse_ids
from embedviz.vectors.spec import Spec

WORDS = ("brown", "dog", "fox", "jumps", "lazy", "over")
DEFAULT_IDS = "2, 3, 5, 1"
MAX_ROWS, MAX_COLUMNS, MAX_CHARACTERS = 64, 16, 500
HEIGHT = picture_height(1, 40)


class Asked(NamedTuple):
    """The IDs, and the size and the seed of the small table. words: what the first IDs stand for."""

    ids: tuple[int, ...]
    vocab_size: int
    output_dim: int
    seed: int = Spec.seed
    words: tuple[str, ...] = WORDS


class Result(NamedTuple):
    """What was looked up, and in which table."""

    asked: Asked
    lookup: Lookup


def sentences_or_ids(frame: Frame, pair: str = "") -> tuple[tuple[str, str] | None, DeltaGenerator]:
    """Let the visitor choose what is looked up: both sentences, or None for IDs of one's own. The place is for these.

    An address that says IDs means them. pair: what is looked up of the sentences, if not both.
    """
    usual = "ids" if {"ids", "table_rows", "table_dims", "table_seed"} & {*st.query_params} else "pair"
    with frame.inputs:
        left, right, beside = sentences.columns([2, 2, 1.6], vertical_alignment="bottom")
    with beside:
        labels = {name: translated(text) for name, text in OPTIONS["looked_up"].items()}
        labels["pair"] = pair or labels["pair"]
        kind = one_of(_("What is looked up"), labels, key="looked_up", default=usual, format_func=labels.__getitem__)
    return (sentences.both(left, right) if kind == "pair" else None), frame.inputs


def own_ids(frame: Frame, place: DeltaGenerator) -> Asked:
    """The IDs, and the size and the seed of the small table.

    After a mistake a message, and the last good IDs that the table has.
    """
    ids, rows, dims, seeds = place.columns([3, 1, 1, 0.8], vertical_alignment="bottom")
    with ids:
        label = _("Token IDs, or words: {words}", words=", ".join(WORDS))
        typed = text_within(st.text_input, label, DEFAULT_IDS, MAX_CHARACTERS, key="ids")
    with rows:
        label = _("Rows (vocab_size)")
        vocab_size = whole_number(label, 1, MAX_ROWS, len(WORDS), key="table_rows", below=frame.messages)
    with dims:
        label = _("Dimensions (output_dim)")
        output_dim = whole_number(label, 1, MAX_COLUMNS, 3, key="table_dims", below=frame.messages)
    with seeds:
        seed = whole_number(_("Seed"), 0, MAX_SEED, Spec.seed, key="table_seed", below=frame.messages)
    return Asked(_good_ids(typed, vocab_size), vocab_size, output_dim, seed)


def _good_ids(typed: str, vocab_size: int) -> tuple[int, ...]:
    try:
        ids = _ids(typed)
        check_ids(ids, vocab_size)
    except EmbedvizError as error:
        ids = tuple(id_ for id_ in _last_ids() if id_ < vocab_size) or (0,)
        with mistake_place("ids"):
            show_error(_("{error} Still shown: {token}.", error=error, token=", ".join(map(str, ids))))
        return ids
    st.session_state["ids_kept"] = ids
    return ids


def looked_up(asked: Asked) -> Result:
    """The IDs looked up in the small table."""
    return Result(asked, look_up(asked.ids, weights(asked.vocab_size, asked.output_dim, asked.seed)))


def program(result: Result, title: str) -> Program:
    """The lookup in PyTorch, in both ways."""
    ids, vocab_size, output_dim, seed, _words = result.asked
    text = pytorch_lookup(vocab_size, output_dim, seed, ids)
    return Program(text, title, rows=partial(of_lookup, result.lookup))


def _last_ids() -> tuple[int, ...]:
    return st.session_state.get("ids_kept", parse_ids(DEFAULT_IDS))


def _ids(text: str) -> tuple[int, ...]:
    """The IDs in the text, or those of the words in it."""
    has_letters, has_digits = any(map(str.isalpha, text)), any(map(str.isdigit, text))
    if has_letters and not has_digits:
        return tuple(tokenize(text, "words", lower_case=True, vocabulary=WORDS).ids)
    return parse_ids(text)


def weights(n_rows: int, output_dim: int, seed: int) -> np.ndarray:
    """The small table, (V, D), float32."""
    return tables.token_table(n_rows, Spec(output_dim=output_dim, seed=seed))


def table(result: Result, **options: Any) -> Matrix:
    """The table as a panel, with the number of each row."""
    every = range(len(result.lookup.table))
    return Matrix(result.lookup.table, _("table"), names(result, every), every, across=_("dimension"), **options)


def output(result: Result, values: np.ndarray, title: str, **options: Any) -> Matrix:
    """What was looked up as a panel, rows in the order of the IDs."""
    ids = result.lookup.ids
    return Matrix(values, title, names(result, ids), ids, across=_("dimension"), **options)


def names(result: Result, ids: Sequence[int]) -> list[str]:
    """Each ID, with its word if it has one."""
    words = result.asked.words
    return [f"{id_} {in_figure(words[id_])}" if id_ < len(words) else str(id_) for id_ in ids]


def alternative(lookup: Lookup) -> str:
    """What the panels show, in words."""
    return _(
        "A table of {rows} and {dimensions}, numbers {extent}; the IDs {ids} pick their rows, in that "
        "order; the first begins with {first:.4f}.",
        rows=ngettext("{n:,} row", "{n:,} rows", lookup.table.shape[0]),
        dimensions=ngettext("{n:,} dimension", "{n:,} dimensions", lookup.table.shape[1]),
        extent=extent(lookup.table),
        ids=", ".join(map(str, lookup.ids)),
        first=lookup.rows[0, 0],
    )
