"""Vectors as files: what is read back is what was there."""

import csv as readers
import io
import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from embedviz.programs.rows import Rows, csv, npz, of_forward, of_next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)  # halves of surrogate pairs too
HOSTILE = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r\n",
    'say "it"',
    "a,b",
    "",
    " ",
    "\0",
    "a\0",
    "\0a\0\0",
    "\ufeff",
    "\u2028",
    "\ud800",
    "🐈",
    "قطة",
    "\u202e",
]
FLOATS = arrays.arrays(
    np.float32, st.tuples(st.integers(0, 5), st.integers(1, 5)), elements=st.floats(width=32, allow_nan=False)
)


def lines(file: bytes) -> list[list[str]]:
    """As any reader of CSV has them."""
    return list(readers.reader(io.StringIO(file.decode("utf-8-sig"), newline="")))


def tokens(texts: list[str], vectors: np.ndarray, sentence: str = "") -> Rows:
    return Rows({"position": range(len(texts)), "token": texts}, {"token_embeddings": vectors}, sentence)


@st.composite
def parts(draw) -> Rows:
    vectors = draw(FLOATS)
    n_rows = len(vectors)
    texts = draw(st.lists(ANY_TEXT | st.sampled_from(HOSTILE), min_size=n_rows, max_size=n_rows))
    return tokens(texts, vectors)


@given(parts())
def test_csv_gives_back_every_bit_and_every_text(part):
    head, *found = lines(csv([part]))
    vectors = part.vectors["token_embeddings"]
    assert head == ["position", "token", "vectors", *map(str, range(vectors.shape[1]))]
    assert [line[0] for line in found] == list(map(str, range(len(vectors))))
    assert [json.loads(line[1]) for line in found] == part.labels["token"]
    again = np.array([line[3:] for line in found], np.float32).reshape(vectors.shape)
    assert again.tobytes() == vectors.tobytes()


def test_how_numpy_prints_does_not_matter():
    part = tokens(["a"], np.array([[1_000_001, np.inf, 0.1]], np.float32))
    usual = csv([part])
    with np.printoptions(legacy="1.13", precision=2):
        assert csv([part]) == usual
    assert b"1.000001e+06,inf,1.0e-01" in usual


@given(parts())
def test_no_cell_of_text_is_a_formula(part):
    _, *found = lines(csv([part]))
    cells = [cell for line in found for cell in line]
    for cell in cells:
        assert cell[:1] not in tuple("=+@\t\r\n＝＋－＠") or cell == ""
        assert not cell.startswith("-") or np.float32(cell) <= 0  # a number
        assert "\n" not in cell
        assert "\r" not in cell


@given(parts())
def test_npz_gives_back_every_bit_and_every_text_without_pickle(part):
    with np.load(io.BytesIO(npz([part])), allow_pickle=False) as file:
        assert sorted(file) == ["position", "token", "token_embeddings"]
        assert file["token_embeddings"].dtype == np.float32
        assert file["token_embeddings"].tobytes() == part.vectors["token_embeddings"].tobytes()
        assert file["token_embeddings"].shape == part.vectors["token_embeddings"].shape
        for found, text in zip(file["token"].tolist(), part.labels["token"], strict=True):
            n_last = len(text) - len(text.rstrip("\0"))
            assert found == text[: len(text) - n_last] + r"\x00" * n_last
        assert file["position"].tolist() == list(range(len(file["token"])))


def test_a_line_for_each_vector_and_empty_cells_where_there_is_none():
    a = tokens(["the", "cat"], np.array([[1, -0.0], [0.1, 1e-45]], np.float32), "A")
    b = Rows({"row": range(1)}, {"table": np.array([[3.5]], np.float32)}, "B")
    assert csv([a, b]).decode("utf-8").split("\r\n") == [
        "\ufeffsentence,position,token,row,vectors,0,1",
        'A,0,"""the""",,token_embeddings,1.0,-0.0',
        'A,1,"""cat""",,token_embeddings,0.1,1e-45',
        "B,,,0,table,3.5,",
        "",
    ]


def test_arrays_of_a_sentence_have_its_name():
    vectors = np.ones((1, 2), np.float32)
    with np.load(io.BytesIO(npz([tokens(["a"], vectors, "A"), tokens(["b"], vectors, "B")]))) as file:
        assert sorted(file) == [f"{s}_{n}" for s in "AB" for n in ("position", "token", "token_embeddings")]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_finite_number_is_still_told(value):
    part = tokens(["a", "b"], np.array([[1, value], [0.1, 2]], np.float32))
    again = np.array([line[3:] for line in lines(csv([part]))[1:]], np.float32)
    assert np.array_equal(again, part.vectors["token_embeddings"], equal_nan=True)


def test_nothing_is_still_a_file():
    part = tokens([], np.zeros((0, 3), np.float32))
    assert lines(csv([part])) == [["position", "token", "vectors", "0", "1", "2"]]
    assert lines(csv([])) == [["vectors"]]


def test_what_the_layers_make_of_a_text_is_there_by_layer_and_head():
    text = "the cat sat on the mat , who sat ?"
    read = forward(bundled(BUNDLED["none_2_layers"]), text)
    saved = np.load(io.BytesIO(npz([of_forward(read, "A")])))
    assert saved["A_token"].tolist() == text.split()
    assert saved["A_id"].tolist() == read.tokens.ids
    for n in range(3):
        assert np.array_equal(saved[f"A_hidden_states_{n}"], read.hidden_states[n])
    for layer, head in product((1, 2), (1, 2, 3, 4)):
        assert np.array_equal(saved[f"A_layer_{layer}_weights_head_{head}"], read.attentions[layer - 1, head - 1])
    assert len(saved.files) == 3 + 3 + 8


@pytest.mark.parametrize("names", ["AB", "ABC"])
def test_what_follows_each_prompt_is_there_by_its_name(names):
    run = bundled(BUNDLED["learned"])
    texts = "the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?", "on the mat the cat sat"
    read = {name: forward(run, text) for name, text in zip(names, texts, strict=False)}
    saved = np.load(io.BytesIO(npz(of_next_word(read, run.texts))))
    assert saved["token"].tolist() == list(run.vocabulary)
    assert saved["id"].tolist() == list(range(31))
    for name, text in zip(names, texts, strict=False):
        assert saved[f"{name}_token"].tolist() == text.split()
        assert np.array_equal(saved[f"next_word_{name}"][:, 0], read[name].next_word)
        assert np.array_equal(saved[f"{name}_hidden_states_1"], read[name].hidden_states[1])
    assert len(saved.files) == 2 + len(names) * (1 + 3 + 2 + 4)
    head, *found = lines(csv(of_next_word(read, run.texts)))
    of_words = [line for line in found if line[head.index("vectors")].startswith("next_word_")]
    assert len(of_words) == 31 * len(names)
