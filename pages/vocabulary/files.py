"""Files of the page "Vocabulary", made only when somebody asks for one, and its program."""

from collections.abc import Iterator
from typing import cast

import numpy as np
import streamlit as st

from embedviz.base.i18n import _, in_parentheses, ngettext, numeral, paragraph, translated
from embedviz.programs.rows import Rows, npz
from embedviz.programs.vocabulary import Asked, pytorch_vocabulary
from embedviz.ui import presenting
from embedviz.ui.components.cloud.cloud import name
from embedviz.ui.program import download_buttons, expander, listing
from embedviz.vectors import tables
from embedviz.vocabulary import projector_files
from embedviz.vocabulary.token_map import Map, View
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary
from pages.vocabulary.settings import MapSettings
from pages.vocabulary.token_search import SearchResult

MAX_BYTES = 2**26  # of one file: a server makes it in memory
_DIGITS = 12  # bytes that a number takes in a TSV, with the tab
_MAX_CODE_IDS = 50


def downloads(chosen: MapSettings, drawn: Map, tokens: Vocabulary) -> None:
    """A popover with the files; of a large table the first rows that fit."""
    ids = drawn.ids
    n_dims = chosen.spec.output_dim
    as_text = ids[: MAX_BYTES // (n_dims * _DIGITS)]
    as_numbers = ids[: MAX_BYTES // (n_dims * 4)]
    with st.popover(_("Download"), icon=":material/download:", width="stretch", key="download"):
        contents = _("The two TSV files open in TensorFlow's Embedding Projector (Load). Pictures: under the map.")
        rows = _("Rows: all tokens.")
        if len(ids) < len(tokens):
            rows = _("Rows: the {n:,} tokens on the map.", n=len(ids))
        cut = _("Of a larger table the first that fit into {most} MiB: see the numbers below.", most=MAX_BYTES >> 20)
        st.caption(paragraph([contents, rows, cut if len(as_text) < len(ids) else ""]))
        n_tokens = ngettext("{n:,} token", "{n:,} tokens", len(as_text))
        files = (
            ("vectors.tsv", f"{numeral(len(as_text))} × {n_dims}",
             lambda: projector_files.vectors_tsv(vectors_of(chosen, tokens, as_text))),
            ("metadata.tsv", n_tokens, lambda: projector_files.metadata_tsv(metadata_of(tokens, as_text))),
            ("vocabulary.npz", f"{numeral(len(as_numbers))} × {n_dims}",
             lambda: npz_of(chosen, tokens, as_numbers, drawn)),
        )  # fmt: skip
        for file, size, make in files:
            label, key = in_parentheses(file, size), f"download_{file}"
            st.download_button(label, make, file, key=key, on_click="ignore", width="stretch", type="tertiary")


def vectors_of(chosen: MapSettings, tokens: Vocabulary, ids: np.ndarray) -> np.ndarray:
    """The vectors of the tokens with these IDs, (N, D)."""
    return tables.token_table(len(tokens), chosen.spec)[ids]


def metadata_of(tokens: Vocabulary, ids: np.ndarray) -> Iterator[tuple]:
    """A row for each of these tokens: its name, its ID, its kind, and its length."""
    kinds = [*map(translated, KINDS)]
    return (
        (name(tokens.texts[id_]), id_, kinds[tokens.kinds[id_]], tokens.lengths[id_]) for id_ in ids.tolist()
    )  # fmt: skip


def npz_of(chosen: MapSettings, tokens: Vocabulary, ids: np.ndarray, drawn: Map) -> bytes:
    """A NumPy file with the vectors of these tokens, (N, D), their points on the map, and their texts."""
    rows = np.flatnonzero(np.isin(drawn.ids, ids))
    texts = [tokens.texts[id_] for id_ in ids.tolist()]
    arrays = {"vectors": vectors_of(chosen, tokens, ids), "points": drawn.points[rows]}
    return npz([Rows({"ids": ids.tolist(), "tokens": texts}, arrays)])


def program(chosen: MapSettings, view: View, result: SearchResult, tokens: Vocabulary) -> None:
    """The program that prints the axes' shares of the variance, and the neighbours."""
    if presenting.is_on() or chosen.spec.source != "random" or len(view.only) > _MAX_CODE_IDS:
        return
    # To draw a program loads a library. The page should be quick, so it loads only for those who open the program.
    with expander() as opened:
        if opened.open:
            text = pytorch_vocabulary(chosen.spec, len(tokens), view, _asked(result))
            download_buttons(text, _("A whole vocabulary"))
            listing(text, is_open=True)


def _asked(result: SearchResult) -> Asked | None:
    near = result.neighbours
    return near and Asked(cast("int", result.picked), near.metric, len(near.ids))
