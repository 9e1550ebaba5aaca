"""Vectors of one's own on the pages: brought once, kept for the session, and nowhere else."""

import io
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from safetensors.numpy import save
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.base.pages import page_at
from embedviz.programs import rows
from embedviz.ui.inputs import own_vectors
from embedviz.vectors import tables
from embedviz.vectors.own.vector_files import read
from embedviz.vocabulary.projector_files import metadata_tsv, vectors_tsv
from tests.pages.site import findings, messages, programs, shown, visit
from tests.vectors.worst_files import WORST

A, B = "the cat sat on the mat", "on the mat the cat sat"
WORDS = ["the", "cat", "sat", "on", "mat"]
TABLE = np.arange(20, dtype=np.float32).reshape(5, 4)
NPZ = rows.npz(
    [
        rows.Rows({"token": WORDS}, {"token_embeddings": TABLE}),
        rows.Rows({"position": range(8)}, {"positional_embeddings": np.eye(8, 4, dtype=np.float32)}),
    ]
)


def brought(page: str, name: str, data: bytes, **query) -> AppTest:
    view = {"view": "pairs"} if page == "compare" else {}
    at = visit(page, source="own", a=A, b=B, **view | query)
    at.file_uploader(key="own_file").upload(name, data).run()
    assert not at.exception
    return at


def test_the_page_compares_the_vectors_of_the_file():
    at = brought("compare", "mine.npz", NPZ)
    assert not messages(at)
    assert "Your own vectors, 5 × 4: a link does not take them along." in at.caption[-1].value
    said = [card["title"] for card in findings(at, "about_pairs")]
    assert said[0] == "6 of 6 token vectors of A are in B too, bit for bit"
    assert said[2] == "The average still hides the order"
    assert at.selectbox(key="position").value == "learned"
    assert "np.load('mine.npz')" in programs(at)[0]


def test_a_file_is_neither_in_the_address_nor_in_the_log(capfd):
    at = brought("compare", "secret-name.npz", NPZ)
    at.file_uploader(key="own_file").upload("secret-name.tsv", b"1\tsecret-word").run()
    assert set(at.query_params) <= {"source", "a", "b", "view"}
    assert at.query_params["source"] == "own"
    assert "secret" not in "".join(capfd.readouterr())


def test_another_visitor_has_no_part_of_it():
    brought("compare", "mine.npz", NPZ)
    said = "A link does not take vectors of one's own along. Choose a file; random is in use until then."
    assert messages(visit("compare", view="pairs", source="own")) == [said]


def test_the_session_comes_back_to_it():
    at = brought("compare", "mine.npz", NPZ)
    at.switch_page(page_at("positions").script).run()
    at.switch_page(page_at("compare").script).run()
    assert not at.exception
    assert "Your own vectors, 5 × 4" in at.caption[-1].value
    at.selectbox(key="source").set_value("random").run()
    assert "Random" in at.caption[-1].value
    at.selectbox(key="source").set_value("own").run()
    assert "Your own vectors, 5 × 4" in at.caption[-1].value


def test_where_a_model_reads_the_page_says_that_the_vectors_have_no_layers():
    at = brought("compare", "mine.npz", NPZ)
    at.switch_page(page_at("layers").script).run()
    assert not at.exception
    assert [each for each in at.caption if "Vectors of your own have no layers" in each.value]
    assert not [each for each in visit("layers").caption if "no layers" in each.value]


def test_a_word_without_a_vector_is_said_and_left_out():
    at = brought("compare", "mine.npz", NPZ)
    at.text_input(key="a").set_value("the dog sat").run()
    assert messages(at) == ["1 word has no vector among your own, and is left out: \u2068dog\u2069."]
    assert len(shown(at, "order")["sentences"][0]) == 2


def test_when_the_files_of_others_take_all_room_the_page_says_so(monkeypatch):
    monkeypatch.setattr(tables, "BUDGET_BYTES", 100)
    at = visit("compare", view="pairs", source="own")
    at.file_uploader(key="own_file").upload("mine.npz", NPZ).run()
    assert messages(at)[0].startswith("The vectors of other visitors take all room")


def test_who_has_half_of_the_room_leaves_the_rest_to_others(monkeypatch):
    monkeypatch.setattr(own_vectors, "FILES", WeakKeyDictionary())
    monkeypatch.setattr(own_vectors, "network_of", lambda _address: "one")
    monkeypatch.setattr(tables, "BUDGET_BYTES", 3 * read("mine.npz", NPZ).nbytes)
    at = brought("compare", "mine.npz", NPZ)
    assert not messages(at)
    other = visit("compare", view="pairs", source="own")
    other.file_uploader(key="own_file").upload("mine.npz", NPZ).run()
    assert messages(other)[0].startswith("Visitors from your network have brought as many vectors")
    monkeypatch.setattr(own_vectors, "network_of", lambda _address: "another")
    other.file_uploader(key="own_file").upload("mine.npz", NPZ).run()
    assert not messages(other)


def test_what_the_file_has_beside_its_vectors_is_said():
    labels = io.BytesIO()
    np.savez(labels, vectors=TABLE, labels=np.array(WORDS))
    at = brought("compare", "mine.npz", labels.getvalue())
    assert [said for said in messages(at) if "tokens=np.array(texts, dtype=str)" in said]


@pytest.mark.parametrize("table", [[[1.0, np.inf]], [[1e300]], np.zeros((1, 9000))])
def test_a_first_file_that_is_refused_leaves_a_page(table):
    file = io.BytesIO()
    np.save(file, np.array(table))
    at = brought("compare", "bad.npy", file.getvalue())
    assert len([said for said in messages(at) if said.startswith("array")]) == 1


def test_what_refused_a_file_holds_nothing_of_it():
    at = brought("compare", "bad.npz", WORST["zeros.npz"]())
    refused = at.session_state["own_file_read"][2]
    assert messages(at)[0] == str(refused)
    assert refused.__traceback__ is refused.__cause__ is refused.__context__ is None
    assert at.session_state["own_file"].getvalue() == b""


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("bad.tsv", b"1\t2\n3\tx\n", "Line 2, column 2: 'x' is no number. Write numbers like 0.25."),
        ("bad.npy", b"\x80\x04pickle", "This is a pickle"),
        ("bad.csv", b"token,0\nthe,1\nthe,2\n", "'the' has two vectors that differ, in lines 2 and 3"),
    ],
)
def test_after_a_mistake_the_last_good_file_stays_in_use(name, data, words):
    at = brought("compare", "mine.npz", NPZ)
    at.file_uploader(key="own_file").upload(name, data).run()
    assert [said for said in messages(at) if said.startswith(words)]
    assert "In use: mine\\.npz" in [said.value for said in at.caption]
    assert "Your own vectors, 5 × 4" in at.caption[-1].value
    assert at.text_input(key="a").value == A


def test_vectors_of_the_projector_are_asked_for_their_texts():
    at = brought("compare", "vectors.tsv", vectors_tsv(TABLE))
    texts = metadata_tsv([(word, n, "word", 3) for n, word in enumerate(WORDS)])
    at.file_uploader(key="own_texts").upload("metadata.tsv", texts).run()
    assert not at.exception
    assert at.selectbox(key="position").value == "sinusoidal"
    assert "learned" not in at.selectbox(key="position").options
    assert "metadata.tsv" in programs(at)[0]


def test_without_texts_the_rows_are_ids_of_a_tokenizer():
    array = np.random.default_rng(0).standard_normal((50_257, 2)).astype(np.float32)
    at = brought("compare", "mine.safetensors", save({"wte": array, "wpe": array[:9]}))
    assert not messages(at)
    source = at.session_state["own_made"][1]
    assert ev.embed(A, ev.Spec(source=source)).token_embeddings.tobytes() == array[ev.tokenize(A).ids].tobytes()


def test_tables_whose_names_say_nothing_are_asked_for():
    at = brought("compare", "mine.safetensors", save({"first": TABLE, "second": TABLE[:3]}))
    assert "Choose the token table of this file." in messages(at)
    at.selectbox(key="own_token").select("second").run()
    assert not at.exception
    assert at.session_state["own_made"][1].n_rows == 3


@pytest.mark.parametrize(
    ("page", "view"),
    [
        ("compare", "map"),
        ("compare", "orders"),
        ("positions", "table"),
        ("positions", "adding"),
        ("attention", "order"),
        ("relative", "shift"),
        ("vocabulary", ""),
    ],
)
def test_every_page_with_a_source_takes_them(page, view):
    at = brought(page, "mine.npz", NPZ, view=view)
    assert not [said for said in messages(at) if "source" in said or "link" in said]
