"""The parts of the page "Lookup"."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import tables
from embedviz.errors import EmbedvizError
from embedviz.export import pytorch_lookup
from embedviz.figures.matrices import Matrix, matrices
from embedviz.lookup import (
    MODELS,
    Lookup,
    check_ids,
    look_up,
    lookup_cost,
    one_hot_cost,
    parse_ids,
    pytorch_error,
)
from embedviz.spec import MAX_SEED, Spec
from embedviz.tokens import tokenize
from embedviz.ui.cards import Card, cards
from embedviz.ui.fields import whole_number
from embedviz.ui.literal import literal
from embedviz.ui.plot import show

WORDS = ("brown", "dog", "fox", "jumps", "lazy", "over")
DEFAULT_IDS = "2, 3, 5, 1"
MAX_ROWS, MAX_COLUMNS, MAX_CHARACTERS = 64, 16, 500
_VIEWS = ("Rows", "One-hot", "Mistakes", "Positions", "Sizes")
_HEIGHT = "clamp(17rem, calc(100vh - 27rem), 36rem)"
_GPT2 = next(model for model in MODELS if model.name == "GPT-2")


def view() -> str:
    """Which of the five pictures."""
    return st.segmented_control(
        "Show",
        _VIEWS,
        default=_VIEWS[0],
        required=True,
        key="show",
        label_visibility="collapsed",
        bind="query-params",
    )


def table_settings(columns: Sequence[DeltaGenerator]) -> tuple[int, int, int]:
    """vocab_size, output_dim and seed of the small table."""
    fields = (
        ("Rows (vocab_size)", 1, MAX_ROWS, len(WORDS), "table_rows"),
        ("Dimensions (output_dim)", 1, MAX_COLUMNS, 3, "table_dims"),
        ("Seed", 0, MAX_SEED, 123, "seed"),
    )
    values = []
    for column, (label, low, high, default, key) in zip(columns, fields, strict=True):
        with column:
            values.append(whole_number(label, low, high, default, key=key))
    return tuple(values)


def rows(vocab_size: int, output_dim: int, seed: int) -> None:
    """The table, the IDs, and the rows that they pick."""
    found = _look_up(_ids(vocab_size), vocab_size, output_dim, seed)
    cards(_about_rows(found), key="about_rows")
    show(
        matrices([_table(found), _output(found.rows, found.ids, "output", "→")]),
        key="rows",
        alt=_alt(found),
        height=_HEIGHT,
    )
    _code(vocab_size, output_dim, seed, found.ids)


def one_hot(vocab_size: int, output_dim: int, seed: int) -> None:
    """The same as a matrix product, and what that would cost."""
    found = _look_up(_ids(vocab_size), vocab_size, output_dim, seed)
    cards(_about_one_hot(found), key="about_one_hot")
    panels = [
        Matrix(
            found.one_hot,
            "one-hot",
            _names(found.ids),
            found.ids,
            columns=[str(n) for n in range(vocab_size)],
            decimals=0,
        ),
        _table(found, "×"),
        _output(found.product, found.ids, "product", "="),
    ]
    show(matrices(panels), key="one_hot", alt=_alt(found), height=_HEIGHT)
    _code(vocab_size, output_dim, seed, found.ids)


def mistakes(vocab_size: int, output_dim: int, seed: int) -> None:
    """An ID past the table, and vocab_size given where context_length belongs."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        ids = _ids(vocab_size, allow_any=True)
    with right:
        swapped = st.toggle(
            "Swap vocab_size and context_length (4)",
            key="swapped",
            help="nn.Embedding(context_length, output_dim) where nn.Embedding(vocab_size, output_dim) is meant.",
            bind="query-params",
        )
    n_rows = 4 if swapped else vocab_size
    error = pytorch_error(n_rows, output_dim, ids)
    cards(_about_mistake(ids, n_rows, error, swapped), key="about_mistake")
    weights = _weights(n_rows, output_dim, seed)
    show(
        matrices(
            [Matrix(weights, f"nn.Embedding({n_rows}, {output_dim})", _names(range(n_rows)), list(range(n_rows)))]
        ),
        key="mistake",
        alt=f"A table of {n_rows} rows and {output_dim} dimensions.",
        height=_HEIGHT,
    )


def positions(vocab_size: int, output_dim: int, seed: int) -> None:
    """Sums with the numbers in place: tokens that are all ones, and one vector of three numbers."""
    n_tokens, n_dims = 4, 3
    tokens = np.ones((n_tokens, n_dims), np.float32)
    places = np.add.outer(np.arange(1, n_tokens + 1), np.arange(1, n_dims + 1) / 10).astype(np.float32)
    cards(
        [
            Card(
                "Tokens that are all ones", "Four tokens with one vector. Each gets the vector of its position added."
            ),
            Card("After that no two are alike", "What differs between the sums is what differs between positions."),
        ],
        key="about_positions",
    )
    show(
        _sum(tokens, places, 1),
        key="ones",
        alt="Ones plus positions.",
        height="clamp(12rem, calc(60vh - 15rem), 22rem)",
    )
    token, place = np.array([[0.5, -0.2, 0.1]], np.float32), np.array([[0.1, 0.3, -0.1]], np.float32)
    show(_sum(token, place, 1), key="one", alt="One token vector plus one positional vector.", height="7rem")


def sizes() -> None:
    """The token tables of real models, computed, not built."""
    st.dataframe(
        {
            "model": [model.name for model in MODELS],
            "vocab_size": [f"{model.vocab_size:,}" for model in MODELS],
            "output_dim": [f"{model.output_dim:,}" for model in MODELS],
            "parameters": [f"{model.parameters:,}" for model in MODELS],
            "float32": [_memory(model.nbytes(4)) for model in MODELS],
            "float16": [_memory(model.nbytes(2)) for model in MODELS],
        },
        hide_index=True,
    )
    st.caption("parameters = vocab_size × output_dim; a float32 takes 4 bytes, a float16 takes 2. 1 MB is 10⁶ bytes.")


def _ids(vocab_size: int, allow_any: bool = False) -> tuple[int, ...]:
    """The IDs typed, or those of the words typed; after a mistake a message, and the last good ones."""
    text = st.text_input(
        "Token IDs, or words: " + ", ".join(WORDS),
        DEFAULT_IDS,
        key="ids",
        live="250ms",
        max_chars=MAX_CHARACTERS,
        autocomplete="off",
        bind="query-params",
    )
    try:
        ids = _read(text)
        if not allow_any:
            check_ids(ids, vocab_size)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        kept = st.session_state.get("ids_kept", parse_ids(DEFAULT_IDS))
        return tuple(id_ for id_ in kept if allow_any or id_ < vocab_size) or (0,)
    st.session_state["ids_kept"] = ids
    return ids


def _read(text: str) -> tuple[int, ...]:
    letters, digits = (any(map(kind, text[:MAX_CHARACTERS])) for kind in (str.isalpha, str.isdigit))
    if letters and not digits:
        return tuple(tokenize(text[:MAX_CHARACTERS], "words", lower_case=True, vocabulary=WORDS).ids)
    return parse_ids(text[:MAX_CHARACTERS])


def _weights(n_rows: int, output_dim: int, seed: int) -> np.ndarray:
    return tables.token_table(n_rows, Spec(output_dim=output_dim, seed=seed)).weights


def _look_up(ids: Sequence[int], vocab_size: int, output_dim: int, seed: int) -> Lookup:
    return look_up(ids, _weights(vocab_size, output_dim, seed))


def _table(found: Lookup, sign: str = "") -> Matrix:
    every = range(len(found.table))
    return Matrix(found.table, "table", _names(every), list(every), sign)


def _output(values: np.ndarray, ids: Sequence[int], title: str, sign: str) -> Matrix:
    return Matrix(values, title, _names(ids), list(ids), sign)


def _names(ids: Sequence[int]) -> list[str]:
    return [f"{id_} {WORDS[id_]}" if id_ < len(WORDS) else str(id_) for id_ in ids]


def _about_rows(found: Lookup) -> list[Card]:
    last = max(found.ids)
    about = [
        Card(
            f"ID {last} is row number {last + 1}",
            f"IDs count from 0, so a table of {len(found.table)} rows has the IDs 0 to {len(found.table) - 1}.",
        ),
        Card(
            f"{len(found.ids)} IDs in, {len(found.ids)} rows out",
            f"Shape ({len(found.ids)},) becomes ({len(found.ids)}, {found.table.shape[1]}). "
            "Nothing is multiplied or added.",
        ),
    ]
    id_, times = Counter(found.ids).most_common(1)[0]
    if times > 1:
        places = ", ".join(str(n) for n, other in enumerate(found.ids) if other == id_)
        about.append(
            Card(
                f"ID {id_}: one row, {times} times",
                f"Output rows {places} are the same numbers, wherever they stand.",
                "same",
            )
        )
    return about


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
        Card("Lookup", f"{of}: {copying.multiplications} multiplications, {_memory(copying.bytes_read)} read."),
        Card("Product", f"{of}: {product.multiplications:,} multiplications, {_memory(product.bytes_read)} read."),
    ]


def _about_mistake(ids: Sequence[int], n_rows: int, error: str | None, swapped: bool) -> list[Card]:
    if error is None:
        text = f"Every ID is below {n_rows}, so each has a row."
        if swapped:
            text += " The table is the wrong one all the same: such a mistake goes unnoticed."
        return [Card("PyTorch says nothing", text, "plain")]
    missing = next(id_ for id_ in ids if not 0 <= id_ < n_rows)
    plain = f"There is no row {missing}: nn.Embedding({n_rows}, …) has the rows 0 to {n_rows - 1}."
    return [Card(f"PyTorch says: {error}", plain, "different")]


def _sum(token: np.ndarray, place: np.ndarray, decimals: int):
    names = [str(n) for n in range(len(token))]
    linked = list(range(len(token)))
    return matrices(
        [
            Matrix(token, "token embedding", names, linked, decimals=decimals),
            Matrix(place, "positional embedding", names, linked, "+", decimals=decimals),
            Matrix(token + place, "input embedding", names, linked, "=", decimals=decimals),
        ]
    )


def _alt(found: Lookup) -> str:
    return (
        f"A table of {found.table.shape[0]} rows and {found.table.shape[1]} dimensions; the IDs "
        f"{', '.join(map(str, found.ids))} pick {len(found.ids)} of its rows, in that order."
    )


def _memory(nbytes: int) -> str:
    if nbytes < 1000:
        return f"{nbytes} bytes"
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if nbytes >= size:
            return f"{nbytes / size:.4g} {unit}"
    raise AssertionError(nbytes)


def _code(vocab_size: int, output_dim: int, seed: int, ids: Sequence[int]) -> None:
    with st.expander("Show the PyTorch", icon=":material/code:"):
        st.code(pytorch_lookup(vocab_size, output_dim, seed, ids))
