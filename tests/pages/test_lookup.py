"""The page "Lookup", run as Streamlit runs it."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedviz.vectors.lookup import pytorch_error
from pages.lookup.one_hot import ONE_HOT
from pages.lookup.rows import ROWS, figure
from pages.lookup.settings import WORDS, Asked, looked_up
from tests.pages.site import messages, payloads, programs, shown, visit


def open_page(**query) -> AppTest:
    at = visit("lookup", **query)
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    return [card["title"] for payload in payloads(at) for card in payload.get("cards", [])]


def panels(at: AppTest) -> list[np.ndarray]:
    return [trace["z"] for payload in payloads(at) for trace in payload.get("data", []) if "z" in trace]


def ids_of_the_page(*ids: int) -> Asked:
    """These IDs, or those of the page, for the table of the page."""
    return Asked(ids or (2, 3, 5, 1), len(WORDS), 3, 123)


def drawn(*ids: int) -> list[dict]:
    """What the view "Rows" draws of these IDs."""
    return figure(looked_up(ids_of_the_page(*ids)).lookup).data


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
    cards = ROWS.findings(looked_up(ids_of_the_page(5, 1, 5)))
    assert "ID 5: one row, 2 times" in [card.title for card in cards]


def test_one_hot_product_equals_the_rows():
    at = open_page(view="One-hot")
    one_hot, table, product = panels(at)
    assert (one_hot @ table).tolist() == product.tolist()


def test_what_a_product_would_take_is_counted():
    same, less = ONE_HOT.findings(looked_up(ids_of_the_page()))
    assert same.title == "Both ways give the same rows"
    assert less.title == "This product takes 72 multiplications, a lookup none"  # 4 IDs x 6 rows x 3 dimensions
    assert f"takes {4 * 50257 * 768:,} multiplications" in less.text


def test_lines_lead_from_each_row_to_its_copies():
    _table, *lines, output = drawn(5, 1, 5)
    assert [line["y"].tolist() for line in lines] == [
        pytest.approx(ends) for ends in ([5.5 / 6, 0.5 / 3], [1.5 / 6, 1.5 / 3], [5.5 / 6, 2.5 / 3])
    ]
    first, other, again = (line["line"]["color"] for line in lines)
    assert first == again != other
    assert len(output["z"]) == 3


def test_numbers_in_cells_have_the_minus_sign_of_print():
    table, *_ = drawn(2, 3, 5, 1)
    assert table["text"][5] == ["−2.8400", "−0.7849", "−1.4096"]


@pytest.mark.parametrize("view", ["Rows", "One-hot"])
@pytest.mark.parametrize(
    ("ids", "missing", "right"),
    [
        ("9,3,40", 9, "ID 9 needs a vocab_size of 10 or more."),
        ("5,6", 6, "ID 6 needs a vocab_size of 7 or more."),
        ("2,-1,99", -1, "A negative ID does not count from the end, as it does in Python’s lists."),
    ],
)
def test_the_first_id_without_a_row_is_named_with_pytorchs_words_and_what_would_be_right(view, ids, missing, right):
    error = pytorch_error(6, 3, [int(id_) for id_ in ids.split(",")])
    assert messages(open_page(view=view, ids=ids)) == [
        f"There is no row {missing}: a table of 6 rows has the IDs 0 to 5. PyTorch says: {error}. {right} "
        "Still shown: 2, 3, 5, 1."
    ]


def test_the_size_that_a_message_asks_for_has_the_row():
    at = open_page(ids="5, 9")
    at.number_input(key="table_rows").set_value(10).run()
    assert messages(at) == []
    table, output = panels(at)
    assert output.tolist() == table[[5, 9]].tolist()


def test_a_table_that_lost_rows_keeps_the_ids_that_it_still_has():
    at = open_page(ids="5, 1")
    at.number_input(key="table_rows").set_value(4).run()
    assert "ID 5 needs a vocab_size of 6 or more. Still shown: 1." in messages(at)[0]
    table, output = panels(at)
    assert output.tolist() == table[[1]].tolist()


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


@pytest.mark.parametrize(
    "query", [{"table_rows": "0"}, {"table_rows": "x"}, {"table_dims": "999"}, {"view": "Nothing"}]
)
def test_bad_settings_fall_back(query):
    assert panels(open_page(**query))[0].shape == (6, 3)


@pytest.mark.parametrize("view", ["Rows", "One-hot"])
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
    (said,) = messages(open_page(ids="1", table_rows="1"))
    assert said.startswith("There is no row 1: a table of 1 row has the ID 0 alone. ")
    assert said.endswith(" Still shown: 0.")
