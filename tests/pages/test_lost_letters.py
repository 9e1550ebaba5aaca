"""Characters of a text that are in none of a model's tokens: each page says which, and calls no such field empty."""

import shutil
import unicodedata
from pathlib import Path

import pytest
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers import models as kinds

from embedviz.models import HubModel
from tests.models.shelf import on_shelf
from tests.pages.site import messages, payloads, shown, visit
from tests.text.test_coverage import BUGS, JAMO, bpe, made

NAME = "u/model"
LOST = "The tokenizer u/model has no token for it, or takes it away before it cuts."
LOST_ALL = "The tokenizer u/model has no token for them, or takes them away before it cuts."


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("shelf") / "model"
    on_shelf("gpt2", found, "the cat", n_positions=64, n_embd=16)
    return found


@pytest.fixture
def model(shelf, models_folder):
    """Puts a model with this tokenizer into the folder."""

    def put(data: bytes) -> None:
        folder = shutil.copytree(shelf, models_folder / NAME)
        (folder / "tokenizer.json").write_bytes(data)

    return put


def said(at) -> list[str]:
    assert not at.exception
    return [message.replace("\u2068", "").replace("\u2069", "") for message in messages(at)]


def test_compare_says_which_letter_is_in_no_token(model):
    model(BUGS)
    at = visit(view="pairs", source=NAME, a="mug bug", b="bug gub")
    assert said(at) == [f"1 character is in none of the tokens: m. {LOST}"]
    assert [chip["id"] for chip in shown(at, "order")["sentences"][0]] == [5, 0, 5]


# Views that read with the model itself take it from "reader": here with the only one that is there.
READ = [
    ("", {"view": "whole", "reader": NAME}),
    ("attention", {"view": "head"}),
    ("layers", {"view": "copies"}),
    ("next_word", {"sentences": "own", "gpt": NAME}),
]


@pytest.mark.parametrize(("page", "query"), [("", {"view": "pairs"}), ("attention", {"view": "order"}), *READ])
def test_a_filled_field_without_a_token_is_not_called_empty(model, page, query):
    model(BUGS)
    at = visit(page, source=NAME, a="😀 😀", b="ug", **query)
    assert f"2 characters are in none of the tokens: 😀. {LOST_ALL}" in said(at)
    assert not any("is empty" in message for message in said(at))


@pytest.mark.parametrize(("page", "query"), READ)
def test_a_reader_says_which_letter_of_a_sentence_it_never_gets(model, page, query):
    model(BUGS)
    assert said(visit(page, a="mug bug", b="bug gub", **query)) == [f"1 character is in none of the tokens: m. {LOST}"]


def test_relative_says_so_too(model):
    model(BUGS)
    assert said(visit("relative", source=NAME, sentence="mug")) == [f"1 character is in none of the tokens: m. {LOST}"]
    assert "is empty" not in said(visit("relative", source=NAME, sentence="😀"))[0]


def test_a_model_that_loses_letters_is_taken_only_by_whoever_chooses_it(model):
    model(BUGS)
    for page, key in (("", "whole"), ("tour", "tour_picture")):
        at = visit(page, a="mug bug", b="bug mug", view="whole" if not page else "tokens")
        assert said(at) == []
        assert "m" in "".join(row["text"] for row in shown(at, key)["rows"])
    assert said(visit(view="whole", reader=NAME, a="mug bug", b="bug mug"))


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff" * 9])
def test_a_tokenizer_that_cannot_be_used_keeps_nobody_from_the_first_page(model, data):
    model(data)
    for page, key in (("", "whole"), ("tour", "tour_picture")):
        at = visit(page, a="mug bug", b="bug mug", view="whole" if not page else "tokens")
        assert said(at) == []
        assert shown(at, key)["rows"]


def test_many_lost_letters_are_named_once_each_and_twelve_at_most(model):
    model(BUGS)
    (message,) = said(visit(view="pairs", source=NAME, a="ug acdefijklmopqr cc", b="ug"))
    assert (
        message == f"16 characters are in none of the tokens: a, c, d, e, f, i, j, k, l, m, o, p and 2 more. {LOST_ALL}"
    )


def test_white_space_between_words_is_no_loss(model):
    words = kinds.WordLevel({"the": 0, "cat": 1, "?": 2}, unk_token="?")
    model(made(words, normalizers.Lowercase(), pre_tokenizers.Whitespace()))
    assert said(visit(view="pairs", source=NAME, a="the  cat", b="cat the")) == []


def test_a_model_that_knows_two_words_can_be_used_and_names_the_one_that_it_does_not_know(model):
    model(made(kinds.WordLevel({"the": 0, "cat": 1}, unk_token="[UNK]"), None, pre_tokenizers.Whitespace()))
    at = visit(view="pairs", source=NAME, a="the cat", b="cat the")
    assert said(at) == []
    assert [chip["id"] for chip in shown(at, "order")["sentences"][0]] == [0, 1]
    assert said(visit(view="pairs", source=NAME, a="the dog", b="cat the")) == [
        f"{NAME} has no token for 'dog' and none for unknown text. Leave it out."
    ]


def test_tokenizers_counts_the_bytes_of_letters_that_a_normalizer_has_joined(monkeypatch):
    monkeypatch.setattr(
        HubModel, "tokenizer_json", lambda _model: made(bpe(("해", "요"), letters="마실까해요"), normalizers.NFKC())
    )
    at = visit("tokenizers", model_tokenizer=NAME, tokenizers=[NAME], text=JAMO)
    row = next(payload for payload in payloads(at) if "rows" in payload)["rows"][0]
    assert (row["numbers"], row["note"]) == ("4 tokens · 33 bytes · 8.25 per token", "")
    assert unicodedata.normalize("NFKC", JAMO) == "마실까해요"


def test_tokenizers_says_which_letters_a_tokenizer_loses(monkeypatch):
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: BUGS)
    at = visit("tokenizers", model_tokenizer=NAME, text="mug 😀")
    rows = {row["name"]: row for row in next(payload for payload in payloads(at) if "rows" in payload)["rows"]}
    assert rows["gpt2"]["note"] == ""
    note = rows[NAME]["note"].replace("\u2068", "").replace("\u2069", "")
    assert note == f"2 characters are in none of the tokens: m, 😀. {LOST_ALL}"
    assert [tuple(span) for span in rows[NAME]["tokens"]["spans"]] == [(1, 3)]
    assert Tokenizer.from_str(BUGS.decode()).encode("mug 😀").offsets == [(0, 2)]  # what the library says
