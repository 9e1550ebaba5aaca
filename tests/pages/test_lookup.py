"""The page "Lookup", run as Streamlit runs it."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.site import messages, payloads, programs, shown, visit


def open_page(**query) -> AppTest:
    at = visit("lookup", **query)
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    return [card["title"] for payload in payloads(at) for card in payload.get("cards", [])]


def panels(at: AppTest) -> list[np.ndarray]:
    return [trace["z"] for payload in payloads(at) for trace in payload.get("data", [])]


def test_default_ids_pick_their_rows():
    at = open_page()
    table, output = panels(at)
    assert table.shape == (6, 3)
    assert output.tolist() == table[[2, 3, 5, 1]].tolist()
    assert "ID 5 picks row 5, number 6 from the top" in titles(at)
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
    assert "Equal" in titles(at)


def test_the_classic_mistake_shows_pytorchs_error():
    at = open_page(view="Mistakes", swapped="true")
    assert "PyTorch says: IndexError: index out of range in self" in titles(at)
    assert "PyTorch raises no error" in titles(open_page(view="Mistakes", swapped="true", ids="0, 3"))


@pytest.mark.parametrize(("ids", "missing"), [("9,3,40", 9), ("2,-1,99", -1), ("5,6", 6)])
def test_the_first_id_without_a_row_is_named(ids, missing):
    (card,) = shown(open_page(view="Mistakes", ids=ids), "about_mistake")["cards"]
    assert card["text"].startswith(f"There is no row {missing}: nn.Embedding(6, …) has ")


def test_sums_with_the_numbers_in_place():
    token, place, total = panels(open_page(view="Positions"))[3:]
    assert token.tolist() == [pytest.approx([0.5, -0.2, 0.1])]
    assert place.tolist() == [pytest.approx([0.1, 0.3, -0.1])]
    assert total.tolist() == [pytest.approx([0.6, 0.1, 0.0], abs=1e-7)]


def test_sizes_are_listed():
    listed = shown(open_page(view="Sizes"), "sizes")
    rows = {row[0]: dict(zip(listed["columns"], row, strict=True)) for row in listed["rows"]}
    assert rows["This app, unless changed"]["parameters"] == "12,865,792"
    assert rows["Qwen3 8B"]["float16"] == "1.245 GB"


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


@pytest.mark.parametrize("view", ["Rows", "One-hot", "Mistakes", "Positions", "Sizes"])
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
    assert "There is no row 1: a table of 1 row has the ID 0 alone." in messages(open_page(ids="1", table_rows="1"))
