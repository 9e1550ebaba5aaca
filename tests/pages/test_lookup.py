"""The page "Lookup", run as Streamlit runs it."""

import ast

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedviz.programs.lookup import pytorch_mistake
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.spec import Spec
from embedviz.vectors.tables import token_table
from tests.pages.site import messages, payloads, programs, shown, visit


def open_page(**query) -> AppTest:
    at = visit("lookup", **query)
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    return [card["title"] for payload in payloads(at) for card in payload.get("cards", [])]


def panels(at: AppTest) -> list[np.ndarray]:
    return [trace["z"] for payload in payloads(at) for trace in payload.get("data", []) if "z" in trace]


def test_default_ids_pick_their_rows():
    at = open_page()
    table, output = panels(at)
    assert table.shape == (6, 3)
    assert output.tolist() == table[[2, 3, 5, 1]].tolist()
    assert "ID 5 picks row 5, which is number 6 from the top" in titles(at)
    assert shown(at, "rows")["alt"].endswith(f"the first begins with {output[0, 0]:.4f}.")
    assert output[0, 0] != table[0, 0]


def test_words_do_what_their_ids_do():
    words, ids = open_page(ids="fox jumps over dog"), open_page(ids="2, 3, 5, 1")
    assert panels(words)[1].tolist() == panels(ids)[1].tolist()


def test_a_repeated_id_is_pointed_at():
    assert "ID 5: one row, 2 times" in titles(open_page(ids="5, 1, 5"))


def test_one_hot_product_equals_the_rows():
    at = open_page(view="One-hot")
    one_hot, table, product = panels(at)
    assert (one_hot @ table).tolist() == product.tolist()


def test_what_a_product_would_take_is_counted():
    (same, less) = shown(open_page(view="One-hot"), "about_one_hot")["cards"]
    assert same["title"] == "Both ways give the same rows"
    assert less["title"] == "This product takes 72 multiplications, a lookup none"  # 4 IDs x 6 rows x 3 dimensions
    assert f"takes {4 * 50257 * 768:,} multiplications" in less["text"]


def test_a_mistake_stands_beside_the_right_call():
    at = open_page(view="Mistakes")
    wrong, right = panels(at)
    assert np.isnan(wrong).all(axis=1).tolist() == [False, False, True, False]  # ID 5 has no row among 4
    assert right.tolist() == panels(open_page())[1].tolist()
    first, second = shown(at, "about_mistake")["cards"]
    assert (first["title"], first["tone"]) == (
        "With 4 rows PyTorch says: IndexError: index out of range in self",
        "different",
    )
    assert (second["title"], second["tone"]) == ("With 6 rows PyTorch raises no error", "same")
    unnoticed = shown(open_page(view="Mistakes", ids="0, 3"), "about_mistake")["cards"][0]
    assert "goes unnoticed" in unnoticed["text"]


def test_the_program_of_a_mistake_prints_the_error_and_the_rows(run):
    error, rows = run(pytorch_mistake([4, 6], 3, 123, [2, 5]))
    assert error == f"IndexError: {pytorch_error(4, 3, [2, 5]).removeprefix('IndexError: ')}"
    assert np.allclose(ast.literal_eval(rows), token_table(6, Spec(output_dim=3))[[2, 5]])


def test_lines_lead_from_each_row_to_its_copies():
    _table, *lines, output = shown(open_page(ids="5, 1, 5"), "rows")["data"]
    assert [line["y"].tolist() for line in lines] == [
        pytest.approx(ends) for ends in ([5.5 / 6, 0.5 / 3], [1.5 / 6, 1.5 / 3], [5.5 / 6, 2.5 / 3])
    ]
    first, other, again = (line["line"]["color"] for line in lines)
    assert first == again != other
    assert len(output["z"]) == 3


def test_numbers_in_cells_have_the_minus_sign_of_print():
    table, *_ = shown(open_page(), "rows")["data"]
    assert table["text"][5] == ["−2.8400", "−0.7849", "−1.4096"]


@pytest.mark.parametrize(("ids", "missing"), [("9,3,40", 9), ("2,-1,99", -1), ("5,6", 6)])
def test_the_first_id_without_a_row_is_named(ids, missing):
    card = shown(open_page(view="Mistakes", ids=ids), "about_mistake")["cards"][1]
    assert card["text"].startswith(f"There is no row {missing}: a table of 6 rows has ")


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("-1", "IDs 0 to 5"),
        ("6", "IDs 0 to 5"),
        ("2, 3.5", "not a whole number"),
        ("cow", "Not in the vocabulary"),
        ("", "at least one"),
    ],
)
def test_bad_ids_leave_the_last_good_ones(ids, message):
    at = open_page(ids="4, 4")
    at.text_input(key="ids").set_value(ids).run()
    assert message in at.error[0].value.replace("\\", "")
    table, output = panels(at)
    assert output.tolist() == table[[4, 4]].tolist()


def test_ids_that_were_good_among_mistakes_alone_are_no_error_elsewhere():
    at = open_page(view="Mistakes", ids="-1, 99, 2")
    at.session_state["view"] = "rows"
    at.run()
    assert not at.exception
    assert "IDs 0 to 5" in at.error[0].value
    table, output = panels(at)
    assert output.tolist() == table[[2]].tolist()


@pytest.mark.parametrize(
    "query", [{"table_rows": "0"}, {"table_rows": "x"}, {"table_dims": "999"}, {"view": "Nothing"}]
)
def test_bad_settings_fall_back(query):
    assert panels(open_page(**query))[0].shape == (6, 3)


@pytest.mark.parametrize("view", ["Rows", "One-hot", "Mistakes"])
def test_every_view_has_its_program(view):
    (program,) = programs(open_page(view=view))
    assert program.startswith("import torch\n")
    compile(program, view, "exec")


@pytest.mark.parametrize(("key", "limit"), [("table_rows", "Take 1 to 64; 6"), ("table_dims", "Take 1 to 16; 3")])
def test_a_number_out_of_range_gets_a_message(key, limit):
    at = open_page(**{key: "1000"})
    assert f"1,000 is out of range. {limit} stays in use." in messages(at)[0]
    assert panels(at)[0].shape == (6, 3)


def test_one_row_is_one_row():
    at = open_page(ids="0", table_rows="1")
    assert "1 ID in, 1 row out" in titles(at)
    said = "There is no row 1: a table of 1 row has the ID 0 alone. Still shown: 0."
    assert said in messages(open_page(ids="1", table_rows="1"))
