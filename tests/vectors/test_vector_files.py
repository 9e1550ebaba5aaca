"""Files with vectors of one's own: round trips are exact, and what is wrong is said with its place."""

import io
import json
import pickle
import tracemalloc
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from safetensors.numpy import save as save_tensors

import embedviz as ev
from embedviz.programs import rows
from embedviz.vectors.own import number_arrays
from embedviz.vectors.own.vector_files import read, read_texts, reasons, source_from
from embedviz.vocabulary.projector_files import metadata_tsv, vectors_tsv
from tests.vectors.worst_files import WORST

A, B = "the cat sat on the mat", "on the mat the cat sat"
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
TABLES = arrays.arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=FLOATS)
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=8)


def of(name: str, data: bytes, **more):
    file = read(name, data)
    return source_from(file, *file.likely, **more)


def said(name: str, data: bytes) -> str:
    with pytest.raises(ev.EmbedvizError) as error:
        of(name, data)
    return str(error.value)


def npy(array: np.ndarray, **how) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **how)
    return file.getvalue()


@pytest.fixture(scope="module")
def comparison():
    spec = ev.Spec(output_dim=16)
    return ev.compare(ev.embed(A, spec), ev.embed(B, spec))


@pytest.mark.parametrize(("name", "make"), [("x.npz", rows.npz), ("x.csv", rows.csv)])
def test_what_compare_saves_comes_back_to_the_bit(comparison, name, make):
    source = of(name, make(rows.of_comparison(comparison)))
    spec = ev.Spec(source=source)
    for text, before in ((A, comparison.a), (B, comparison.b)):
        after = ev.embed(text, spec)
        assert after.tokens.texts == before.tokens.texts
        for each in ("token_embeddings", "positional_embeddings", "input_embeddings"):
            assert getattr(after, each).tobytes() == getattr(before, each).tobytes()


@given(TABLES, st.data())
def test_any_table_comes_back_from_every_kind_of_file(table, data):
    texts = data.draw(st.lists(TEXT, min_size=len(table), max_size=len(table), unique=True))
    part = [rows.Rows({"token": texts}, {"token_embeddings": table})]
    files = {
        "x.csv": rows.csv(part),
        "x.npz": rows.npz(part),
        "x.npy": npy(table),
        "x.tsv": vectors_tsv(table),
        "x.safetensors": save_tensors({"wte.weight": table}),
    }
    for name, content in files.items():
        file = read(name, content)
        found = file.tables[file.likely[0]]
        assert np.asarray(found, np.float32).tobytes() == table.tobytes(), name
        if file.texts:
            assert [*file.texts[file.likely[0]]] == texts, name


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("after", ["", "\t", "\t\t"])
def test_ends_of_lines_mean_nothing(end, after):
    text = f"{end}1\t+2{after}{end}.5\t 4e0{after}{end}"
    assert read("x.tsv", text.encode()).tables["vectors"].tolist() == [[1.0, 2.0], [0.5, 4.0]]


def test_kinds_of_vectors_may_differ_in_length():
    text = 'vectors,token,0,1,2\na,"x\ny",1,2,\nb,x,3,4,5\n\na,y,6,7,\n'
    file = read("x.csv", text.encode())
    assert {name: each.tolist() for name, each in file.tables.items()} == {"a": [[1, 2], [6, 7]], "b": [[3, 4, 5]]}
    assert file.texts == {"a": ["x\ny", "y"], "b": ["x"]}
    assert file.places == {"a": [3, 6], "b": [4]}


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.tsv", b"1\t2\n3\n", "Lines 1 and 2 have 2 and 1 columns"),
        ("x.tsv", b"1\t2\n3\t4\t5\n", "Lines 1 and 2 have 2 and 3 columns"),
        ("x.tsv", b"1\t2\n3\tfour\n", "Line 2, column 2: 'four' is no number"),
        ("x.tsv", b"1\t2\n3\t1,5\n", "Line 2, column 2: '1,5' is no number"),
        ("x.tsv", b"1\t2\n3\t1_000\n", "Line 2, column 2: '1_000'"),
        ("x.tsv", b"1\t2\ntrue\tfalse\n", "Line 2, column 1: 'true'"),
        ("x.tsv", b"1\t2\nNaN\t2\n", "Line 2, column 1: 'NaN' is not finite"),
        ("x.tsv", b"1\t2\n3\t1e39\n", "Line 2, column 2: '1e39' is not finite, or too large"),
        ("x.tsv", b"1\t2\n\n3\t\n", "Lines 1 and 3 have 2 and 1 columns"),
        ("x.tsv", b"1\t2\n\t4\n", "Line 2, column 1: '' is no number"),
        ("x.tsv", "1\t2\n1\t\uff12\n".encode(), "Line 2, column 2: '\uff12' is no number"),
        ("x.tsv", b"1\n" + b"1\t" * 2**21, "Lines 1 and 2 have 1 and 524,289 columns"),
        ("x.tsv", b"1\n18446744073709551616\n", "cannot be read: an integer has more than 64 bits"),
        ("x.tsv", b"1" * 2**21, "Line 1 cannot be read: field larger than field limit"),
        ("x.tsv", b"1\n" * 500_001, "500,001 lines; 500,000 are the most"),
        ("x.tsv", b"1" + b"\t" * 8191 + b"\n" * 1281, "1,281 lines; 1,280 are the most"),
        ("x.tsv", "1\t2\n".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("x.tsv", b"\t".join([b"1"] * 10_000), "10,000 columns; 8,192 are the most"),
        ("x.tsv", b"", "The file is empty"),
        ("x.csv", b"token,a,b\nthe,1,2\n", "Line 1 must name the columns"),
        ("x.csv", b"token,0,1\nthe,1,2\ncat,3,4\nthe,1,3\n", "'the' has two vectors that differ, in lines 2 and 4"),
        ("x.csv", b"\ntoken,0,1\nthe,1\n", "Lines 2 and 3 have 2 and 1 columns"),
        ("x.csv", b"token,0,1\nthe,,\n", "Lines 1 and 2 have 2 and 0 columns"),
        ("x.csv", b"vectors,0,1\na,1,2\nb,1,\na,1,\n", "Lines 2 and 4 have 2 and 1 columns"),
        ("x.csv", b"vectors,0\n" + b"".join(b"%d,1\n" % n for n in range(5001)), "5,001 tables; 5,000 are the most"),
        ("x.csv", b"," * 2**21, "2,097,153 columns; 8,192 are the most"),
        ("x.csv", b"token,0,1\nthe,1,x\n", "Line 2, column 3: 'x' is no number"),
        ("x.npy", npy(np.array([["a"]], object), allow_pickle=True), "a pickle"),
        ("x.npy", npy(np.array([[1.0, np.nan]])), "row 1, column 2: nan is not finite"),
        ("x.npy", npy(np.zeros(3)), "no table of numbers"),
        ("x.bin", pickle.dumps({"wte": [1]}), "a pickle"),
        ("x.safetensors", b"\xff" * 20, "broken or cannot be read"),
        ("x.tsv", b"\xff\xfe\xfd", "is not UTF"),
        ("x.npz", b"PK\x03\x04 nothing", "broken or cannot be read"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(name, data, words):
    assert words in said(name, data)


def test_a_column_may_begin_with_whole_numbers_and_what_is_none_far_below_has_its_line(recwarn):
    """pandas reads a large file in parts, and finds out for each part what its columns hold."""
    ones = b"\t".join([b"1"] * 512)
    for cell in (b"0.5", b"16777217", b"9007199254740993", b"18446744073709551615", b"-3e38"):
        table = read("x.tsv", b"\n".join([ones] * 5000 + [ones.replace(b"1", cell)])).tables["vectors"]
        assert (table.shape, table.dtype) == ((5001, 512), np.float32)
        assert (table[:-1] == 1).all()
        assert (table[-1] == np.float32(float(cell))).all()
    for cell in ("x", "True", "1e39"):
        fault = b"\n".join([ones] * 5000 + [ones[:-1] + cell.encode(), ones])
        assert f"Line 5,001, column 512: '{cell}'" in said("x.tsv", fault)
    assert not recwarn.list


def test_utf16_with_its_mark_is_read():
    assert read("x.tsv", "1\t2\n".encode("utf-16")).tables["vectors"].tolist() == [[1.0, 2.0]]


def test_a_file_that_unpacks_to_more_than_the_limit_is_refused():
    file = io.BytesIO()
    np.savez_compressed(file, vectors=np.zeros((2**11, 2**12), np.float32))
    assert len(file.getvalue()) < 2**20
    assert "unpacks to more than 20 MiB" in said("x.npz", file.getvalue())
    assert "the limit is 20" in said("x.tsv", b"1\n" * (number_arrays.MOST_BYTES // 2 + 1))


@pytest.mark.parametrize("name", WORST)
def test_a_file_is_not_believed_about_itself(name):
    """Whatever it says of its size, no more memory is taken than what may come out of a file."""
    data = WORST[name]()
    tracemalloc.start()
    try:
        assert said(name, data)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * number_arrays.MOST_BYTES


def npz(**arrays_: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays_)
    return file.getvalue()


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return file.getvalue()


EYE, WORDS = np.eye(3, 2, dtype=np.float32), np.array(["the", "cat", "sat"])


@pytest.mark.parametrize(
    ("arrays_", "words"),
    [
        ({"tokens": WORDS.astype(object)}, "tokens' is left aside: its type is object"),
        ({"labels": WORDS}, "labels' holds texts and is left aside. Texts of tokens are called tokens"),
        ({"tokens": WORDS.astype("S")}, "tokens' holds texts"),
        ({"tokens": WORDS[:, None]}, "tokens' holds texts"),
        ({"tokens": WORDS[:2]}, "tokens' holds texts"),
        ({"weights": np.ones(3)}, "weights' is left aside: it has one number for each row"),
        ({"mapping": np.array([0, 3])}, "mapping' is left aside: it is used only where it has, for each ID, a row"),
        ({"waves": EYE.astype(complex)}, "waves' is left aside: its numbers are neither whole nor floating-point"),
        ({f"bias_{n}": np.ones(3) for n in range(9)}, "So are 5 more."),
        ({"bias": np.ones(7), "tokens": WORDS}, ""),  # nobody would miss a bias of another length
    ],
)
def test_what_is_left_aside_is_said(arrays_, words):
    file = read("x.npz", npz(vectors=EYE, **arrays_))
    assert file.tables["vectors"].tolist() == EYE.tolist()
    assert words in reasons(file.left_aside)
    assert bool(words) == bool(file.left_aside)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("token,0\nthe,1\n", []),
        ("token,count,0\nthe,5,1\n", ["count"]),
        ("token,0\nthe,1\n,2\n", ["token"]),
        ("vectors,token,position,0\na,the,,1\nb,,0,1\n", []),
    ],
)
def test_columns_that_are_left_aside_are_said(text, left):
    assert [*read("x.csv", text.encode()).left_aside] == left


def test_whole_numbers_are_taken_from_every_kind_of_file():
    table = np.arange(6, dtype=np.int8).reshape(3, 2)
    for name, content in (("x.npz", npz(wte=table)), ("x.safetensors", save_tensors({"wte": table}))):
        assert of(name, content).token_table().tolist() == table.tolist()


def test_the_scales_of_whole_numbers_are_never_taken_for_vectors():
    table, scales = np.ones((3, 2), np.int8), np.ones((3, 1), np.float32)
    file = read(
        "x.safetensors", save_tensors({"model.embed_tokens.weight": table, "model.embed_tokens.scales": scales})
    )
    assert file.likely == ("model.embed_tokens.weight", None)
    assert "multiply the whole numbers by it" in reasons(file.left_aside)


@pytest.mark.parametrize("make", [lambda arrays_: npz(**arrays_), save_tensors])
def test_a_table_that_several_ids_share_is_put_in_the_order_of_the_ids(make):
    """As model2vec does it: `mapping` has the row of each ID."""
    rows_of_ids = np.array([2, 0, 2, 1])
    file = read("x.safetensors" if make is save_tensors else "x.npz", make({"embeddings": EYE, "mapping": rows_of_ids}))
    assert file.tables["embeddings"].tolist() == EYE[rows_of_ids].tolist()
    assert not file.left_aside


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.zeros(100_000, np.int8), np.array(["w" * 2000])),
        (np.zeros(500_000, "S1"), np.array(["w" * 500])),
        (np.array(["w"] * 100_000), np.array(["w" * 2000])),
        (np.zeros((400_000, 4), np.int8), np.zeros((1, 4), np.clongdouble)),
    ],
)
def test_arrays_that_are_joined_take_no_more_than_a_file_may_have(first, second):
    file = io.BytesIO()
    np.savez_compressed(file, vectors=EYE, A_x=first, B_x=second)
    tracemalloc.start()
    try:
        left = read("x.npz", file.getvalue()).left_aside
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "B_x" in left
    assert peak < 2 * number_arrays.MOST_BYTES


def test_one_array_that_is_none_does_not_take_the_others_along():
    named = {"vectors.npy": npy(EYE), "broken.npy": b"\x93NUMPY\x01\x00\x03\x00(  ", "vectors": b""}
    file = read("x.npz", zipped(**named))
    assert [*file.left_aside] == ["broken", "vectors"]
    assert file.tables["vectors"].tolist() == EYE.tolist()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.npy", b"\x93NUMPY\x01\x00\x03\x00(  "),
        ("x.npz", npz()),
        ("x.npz", npz(vectors=EYE, tokens=np.frombuffer(b"\xff\xff\xff\x0f" * 3, "<U1"))),
        ("x.npy", npy(np.zeros(4, [(f"field {n}", "f4") for n in range(700)]))),
    ],
)
def test_whatever_numpy_raises_ends_in_a_sentence(name, data):
    assert "cannot be read" in said(name, data) or "no table of numbers" in said(name, data)


@pytest.mark.parametrize("scales", [np.ones(2, np.float32), np.float32(1), np.ones((3, 1, 1), np.float32)])
def test_scales_of_any_shape_are_named(scales):
    file = read("x.npz", npz(**{"wte.weight": np.ones((3, 2), np.int8), "wte.scales": scales}))
    assert "multiply the whole numbers by it" in reasons(file.left_aside)


def test_names_that_only_hold_such_a_word_are_tables():
    file = read("x.npz", npz(ids=np.ones((4, 2), np.int8), scaled_vectors=np.ones((4, 3))))
    assert [*file.tables] == ["ids", "scaled_vectors"]
    assert not file.left_aside


def test_a_mapping_makes_no_more_numbers_than_a_file_may_have():
    mapping = np.zeros(400_000, np.uint8)
    assert "the limit is 20" in said("x.npz", npz(embeddings=np.ones((1, 64), np.float32), mapping=mapping))


def test_what_a_mac_packs_beside_the_files_is_passed_over():
    mac = {"__MACOSX/._vectors.npy": b"\0\5\x16\7", "._vectors.npy": b"\0\5\x16\7", ".DS_Store": b"", "folder/": b""}
    file = read("x.npz", zipped(**{"vectors.npy": npy(EYE)}, **mac))
    assert file.tables["vectors"].tolist() == EYE.tolist()
    assert not file.left_aside


@pytest.mark.parametrize(
    ("name", "data", "is_pickle"),
    [
        ("x.pt", zipped(**{"archive/data.pkl": pickle.dumps({"wte": 1})}), True),
        ("x.npz", zipped(**{"notes.pkl": b"not one", "vectors.npy": npy(EYE)}), False),
        ("x.npz", zipped(**{"vectors.npy": b"neither"}), False),
        ("x.npy", b"\x93NUMPY\x01\x00 broken", False),
        ("x.npy", npy(np.array([[1], [1, 2]], object), allow_pickle=True), True),
        ("x.npz", npz(tokens=WORDS.astype(object)), False),
    ],
)
def test_a_pickle_is_called_one_only_if_it_is_one(name, data, is_pickle):
    try:
        words = reasons(read(name, data).left_aside)
    except ev.EmbedvizError as error:
        words = str(error)
    assert ("This is a pickle" in words) == is_pickle


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_safetensors_file_may_begin_as_a_pickle_does(protocol):
    """Its first bytes are the length of its header, such as 1,152, which is 80 04 in hexadecimal."""
    header = json.dumps({"wte": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}).encode()
    header = header.ljust(protocol * 256 + 0x80)
    content = len(header).to_bytes(8, "little") + header + np.array([[1, 2]], "<f4").tobytes()
    assert content[:2] == bytes((0x80, protocol))
    for name in ("x.safetensors", "x.npy"):
        assert read(name, content).tables["wte"].tolist() == [[1, 2]]


@given(st.sampled_from(["x.tsv", "x.csv", "x.npz", "x.npy", "x.safetensors"]), st.data())
def test_a_damaged_file_is_read_or_refused_in_words(name, data):
    part = [rows.Rows({"token": ["a", "b"]}, {"token_embeddings": np.eye(2, 3, dtype=np.float32)})]
    whole = {
        "x.tsv": b"1\t0\n0\t1\n",
        "x.csv": rows.csv(part),
        "x.npz": rows.npz(part),
        "x.npy": npy(np.eye(2)),
        "x.safetensors": save_tensors({"wte": np.eye(2)}),
    }[name]
    content = bytearray(whole)
    for place, byte in data.draw(st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), max_size=4)):
        content[place] = byte
    content = bytes(content)[: data.draw(st.integers(0, len(whole)))]
    with suppress(ev.EmbedvizError):
        file = read(name, content)
        assert file.likely[0] is None or source_from(file, *file.likely).n_rows


@given(st.binary(max_size=200), st.sampled_from(["x.tsv", "x.csv", "x.npz", "x.npy", "x.safetensors"]))
def test_any_bytes_are_read_or_refused_in_words(content, name):
    with suppress(ev.EmbedvizError):
        assert read(name, content).tables


@given(st.text(max_size=60))
def test_any_text_is_read_as_texts_or_refused_in_words(text):
    with suppress(ev.EmbedvizError):
        assert all(isinstance(each, str) for each in read_texts("m.tsv", text.encode("utf-8", "replace")).texts)


def test_metadata_of_the_projector_names_the_tokens():
    table = np.eye(3, dtype=np.float32)
    words = ["the", "cat", "sat"]
    texts = read_texts("metadata.tsv", metadata_tsv([(word, n, "word", 3) for n, word in enumerate(words)]))
    assert texts.texts == words
    assert read_texts("metadata.tsv", b"the\ncat\nsat\n").texts == words  # one column has no header
    found = ev.embed("cat the", ev.Spec(source=of("x.tsv", vectors_tsv(table), texts=texts)))
    assert found.token_embeddings.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_bfloat16_is_read_exactly():
    bits = np.array([[0x3F80, 0xC040]], "<u2")
    header = json.dumps({"wte": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [0, 4]}}).encode()
    content = len(header).to_bytes(8, "little") + header + bits.tobytes()
    assert read("x.safetensors", content).tables["wte"].tolist() == [[1.0, -3.0]]


@pytest.mark.parametrize(
    ("names", "likely"),
    [
        (["token_embeddings", "positional_embeddings", "input_embeddings"],
         ("token_embeddings", "positional_embeddings")),
        (["wte.weight", "wpe.weight", "h.0.attn.c_attn.weight"], ("wte.weight", "wpe.weight")),
        (["tok_emb.weight", "pos_emb.weight"], ("tok_emb.weight", "pos_emb.weight")),
        (["a.word_embeddings.weight", "a.position_embeddings.weight", "a.token_type_embeddings.weight"],
         ("a.word_embeddings.weight", "a.position_embeddings.weight")),
        (["first", "second"], (None, None)),
        (["anything"], ("anything", None)),
    ],
)  # fmt: skip
def test_clear_names_are_known_and_others_are_asked_for(names, likely):
    content = save_tensors({name: np.eye(2, dtype=np.float32) for name in names})
    assert read("x.safetensors", content).likely == likely
