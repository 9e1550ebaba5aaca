"""The page "Batches", run as Streamlit runs it."""

import ast
import re
from importlib import import_module

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from embedviz.vectors.batches import positions_from_mask
from pages.batches.padding import about_padding
from tests.pages.site import messages, programs, shown, visit

FIRST = [[40, 367, 2885, 1464], [1807, 3619, 402, 271]]


def open_page(**query) -> AppTest:
    at = visit("batches", **query)
    assert not at.exception
    return at


def titles(at: AppTest, key: str = "about_windows") -> list[str]:
    return [card["title"] for card in shown(at, key)["cards"]]


def error(at: AppTest) -> str:
    return at.error[0].value.replace("\\", "")


def test_the_default_text_gives_the_default_windows():
    at = open_page()
    assert shown(at, "windows")["inputs"][:2] == FIRST
    assert titles(at) == ["108 windows, 13 batches", "No overlap, no gap", "8 × 4 → 8 × 4 × 256"]
    assert at.selectbox(key="sample").value == "verdict"


def test_targets_are_one_token_later():
    data = shown(open_page(), "windows")
    assert [row[1:] for row in data["inputs"]] == [row[:-1] for row in data["targets"]]
    for row in (*data["inputs"], *data["targets"]):  # so that the colours of a row are seen to move
        assert len({data["colours"][str(id_)] for id_ in row}) == len({*row})


@pytest.mark.parametrize(("stride", "title"), [("1", "Overlap of 3"), ("9", "Gaps of 5")])
def test_overlap_and_gaps_are_named(stride, title):
    assert title in titles(open_page(stride=stride))


def test_another_batch_begins_later():
    data = shown(open_page(batch="2"), "windows")
    assert data["starts"] == [(16 + n) * 4 for n in range(8)]


def test_the_text_is_shown_from_where_the_batch_begins():
    data = shown(open_page(batch="12"), "windows")
    assert data["first"] == data["starts"][0] == 12 * 8 * 4


def test_a_pasted_text_that_is_too_long_is_cut_in_the_field_and_said_so():
    at = open_page(sample="Paste my own")
    at.text_area(key="pasted").set_value("the cat sat " * 500).run()
    assert at.text_area(key="pasted").value == ("the cat sat " * 500)[:5000]
    assert messages(at) == ["6,000 characters are too many; the first 5,000 are used."]


def test_the_notebook_has_the_text_and_reads_no_file(monkeypatch):
    made = []
    folded = import_module("embedviz.ui.program")
    monkeypatch.setattr(folded, "download_buttons", lambda *_, alone, **_more: made.append(alone()))
    text = "the cat sat on the mat " * 9
    assert "text.txt" in programs(open_page(sample="Paste my own", pasted=text))[0]
    (notebook,) = made
    assert "text.txt" not in notebook
    assert text in [node.value for node in ast.walk(ast.parse(notebook)) if isinstance(node, ast.Constant)]


@pytest.mark.parametrize(("page", "key", "most"), [("lookup", "ids", 500), ("relative", "sentence", 1000)])
def test_so_is_one_in_a_field_of_one_line(page, key, most):
    at = visit(page, **({"looked_up": "ids"} if page == "lookup" else {}))
    at.text_input(key=key).set_value("dog " * 300).run()
    assert at.text_input(key=key).value == ("dog " * 300)[:most]
    assert f"1,200 characters are too many; the first {most:,} are used." in messages(at)


def test_a_pasted_text_is_cut():
    at = open_page(sample="Paste my own", pasted="the cat sat on the mat", batch_size="1")
    assert titles(at)[0] == "1 window, 1 batch"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"stride": "0"}, "stride: 0 is out of range. Take 1 to 8,192; 4 stays in use."),
        ({"batch_size": "0"}, "batch_size: 0 is out of range. Take 1 to 1,024; 8 stays in use."),
        ({"max_length": "0"}, "max_length: 0 is out of range. Take 1 to 8,192; 4 stays in use."),
        ({"sample": "Paste my own", "pasted": "cat"}, "The text has 1 token;"),
        ({"sample": "Paste my own"}, "The text has 0 tokens"),
    ],
)
def test_a_mistake_gets_a_message_and_the_default_stays(query, message):
    at = open_page(**query)
    assert message in error(at)
    assert shown(at, "windows")["inputs"][:2] == FIRST


def test_after_a_mistake_the_last_good_windows_stay():
    at = open_page(stride="7")
    before = shown(at, "windows")
    at.number_input(key="stride").set_value(0).run()
    assert "stride" in error(at)
    assert shown(at, "windows") == before


def test_no_batch_says_so():
    at = open_page(sample="Paste my own", pasted="the cat sat on the mat")
    assert "1 of the 8 windows that one batch needs" in at.warning[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.txt", b"", "empty"),
        ("picture.txt", b"\x89PNG\0\0\0", "This file is a picture, not plain text"),
        ("old.txt", "café au lait".encode("latin-1"), "not UTF-8"),
        ("big.txt", b"a " * 2_500_001, "the limit is 5,000,000"),
    ],
)
def test_a_file_that_cannot_be_read_gets_a_message(name, data, message):
    at = open_page(sample="Upload a file")
    at.file_uploader[0].upload(name, data).run()
    assert not at.exception
    assert message in error(at)
    assert shown(at, "windows")["inputs"][:2] == FIRST


def test_an_uploaded_file_is_cut():
    at = open_page(sample="Upload a file", batch_size="2")
    at.file_uploader[0].upload("mine.txt", b"the cat sat on the mat\r\nthe dog sat on the cat").run()
    assert shown(at, "windows")["inputs"] == [[1169, 3797, 3332, 319], [262, 2603, 201, 198]]


def test_the_shape_of_a_batch_of_vectors_is_that_of_torch():
    ids = torch.tensor(shown(open_page(batch_size="3", max_length="5"), "windows")["inputs"])
    vectors = torch.nn.Embedding(50257, 256, device="meta")(ids.to("meta"))
    total = vectors + torch.nn.Embedding(1024, 256, device="meta")(torch.arange(5, device="meta"))
    shape = " × ".join(map(str, total.shape))
    assert titles(open_page(batch_size="3", max_length="5"))[-1] == f"3 × 5 → {shape}"


def test_left_padding_and_the_fix():
    at = open_page(view="Padding")
    assert [chip["position"] for chip in shown(at, "edge_0")["chips"]] == [0, 1, 2, 3, 4, 5]
    assert [chip["position"] for chip in shown(at, "real_0")["chips"]] == [0, 0, 0, 0, 0, 1]
    shift, fix = shown(at, "about_padding")["cards"]
    assert shift["title"].startswith("4 padding tokens")
    assert "4 too high" in shift["title"]
    assert "positional vectors are added" in shift["text"]
    assert "masked out" in fix["text"]


def test_in_a_hall_each_way_of_counting_has_the_finding_that_it_shows():
    at = open_page(view="Padding", present="1")
    said = [caption.value.replace("\\", "") for caption in at.caption]
    assert said[-2:] == ["4 padding tokens: every later position is 4 too high", "The fix: count real tokens only"]


@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_the_fix_that_is_printed_runs_and_gives_every_token_its_row(lengths):
    """As it stands on the card, with a table that has no row to spare."""
    width = max(lengths) + 1
    lengths = [*lengths, width]
    mask = np.array([[0] * (width - n) + [1] * n for n in lengths])
    (line,) = re.findall(r"position_ids = (.+?)\. ", about_padding(mask)[1].text)
    position_ids = eval(line, {"attention_mask": torch.tensor(mask)})  # noqa: S307 our own line
    table = torch.nn.Embedding(width, 2)
    assert table(position_ids).shape == (*mask.shape, 2)
    for row, kept, n in zip(position_ids, mask, lengths, strict=True):
        assert row[torch.tensor(kept) == 1].tolist() == list(range(n))
    assert position_ids.tolist() == positions_from_mask(mask).tolist()


@pytest.mark.parametrize(("short", "long"), [("", ""), ("", "cat"), ("<b>", "\u202e"), ("x " * 300, "cat")])
def test_any_padded_sentences(short, long):
    open_page(view="Padding", short=short, long=long)


@pytest.mark.parametrize("part", ["Windows", "Padding"])
def test_every_view_has_its_program(part):
    (program,) = programs(open_page(view=part))
    compile(program, part, "exec")


def test_a_batch_that_is_not_there_gets_a_message():
    assert "Batch: 99 is out of range. Take 0 to 12; 0 stays in use." in messages(open_page(batch="99"))
