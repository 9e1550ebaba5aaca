"""The page "Tokenizers" with the tokenizer of a model beside the others."""

import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.models.source import HubModel
from embedviz.text.tokens import TOKENIZERS
from tests.pages.site import findings, messages, payloads, programs, visit
from tests.text import tokenizer_files
from tests.text.tokenizer_files import tokenizer_json

PIECES, LETTERS, GEMMA = "test/word-pieces", "test/byte-level", "test/gemma"
CAT = "the cat sat on the mat"
pytestmark = pytest.mark.usefixtures("model_tokenizers")


def open_page(**query: str | list[str]) -> AppTest:
    at = visit("tokenizers", **query)
    assert not at.exception
    return at


def type_name(at: AppTest, name: str) -> AppTest:
    at.text_input(key="model_tokenizer").set_value(name).run()
    assert not at.exception
    return at


def rows(at: AppTest) -> dict[str, dict]:
    found = next(payload for payload in payloads(at) if "rows" in payload)
    return {row["name"]: row["tokens"] for row in found["rows"]}


def cards(at: AppTest) -> dict[str, str]:
    found = findings(at, "about_tokenizers")
    return {card["title"]: card["text"].replace("\u2068", "").replace("\u2069", "") for card in found}


def switches(at: AppTest) -> list[str]:
    return [toggle.key for toggle in at.toggle]


def test_without_a_name_the_page_is_as_before():
    at = open_page()
    assert list(rows(at)) == list(TOKENIZERS)
    assert "special_tokens" not in switches(at)
    assert "A model's own habits" not in cards(at)


def test_a_name_that_is_typed_joins_the_choices():
    at = type_name(open_page(text=CAT), f" {PIECES} ")
    assert list(rows(at)) == [*TOKENIZERS, PIECES]
    assert rows(at)[PIECES]["ids"] == ev.tokenize(CAT, PIECES).ids
    assert rows(at)[PIECES]["texts"][0] == "[CLS]"
    assert cards(at)["A model's own habits"] == f"{PIECES} adds [CLS] and [SEP] to the text, which count as tokens."
    assert messages(at) == []
    assert f"Tokenizer.from_file(fetched('{PIECES}', 'tokenizer.json'))" in programs(at)[0]


def test_a_new_name_takes_the_place_of_the_last_one_and_no_other():
    at = open_page()
    at.button_group(key="tokenizers").set_value(["gpt2"]).run()
    assert list(rows(type_name(at, PIECES))) == ["gpt2", PIECES]
    assert list(rows(type_name(at, LETTERS))) == ["gpt2", LETTERS]
    assert list(rows(type_name(at, ""))) == ["gpt2"]


def test_the_models_tokenizer_can_be_put_away_and_taken_again():
    at = type_name(open_page(), PIECES)
    at.button_group(key="tokenizers").set_value(["gpt2"]).run()
    assert list(rows(at)) == ["gpt2"]
    assert "special_tokens" not in switches(at)
    at.button_group(key="tokenizers").set_value(["gpt2", PIECES]).run()
    assert list(rows(at)) == ["gpt2", PIECES]


@pytest.mark.parametrize("name", [PIECES, GEMMA])
def test_the_address_has_the_name(name):
    at = open_page(model_tokenizer=name, text="The café")
    assert list(rows(at)) == [*TOKENIZERS, name]
    assert rows(at)[name]["ids"] == ev.tokenize("The café", name, False).ids
    at = open_page(model_tokenizer=name, tokenizers=["gpt2", name], leading_space="true", text="The café")
    assert list(rows(at)) == ["gpt2", name]
    assert rows(at)[name]["ids"] == ev.tokenize("The café", name, True).ids
    assert list(rows(open_page(model_tokenizer=name, tokenizers="gpt2"))) == ["gpt2"]


def test_special_tokens_can_be_left_out():
    at = open_page(text=CAT, model_tokenizer=PIECES, tokenizers=PIECES)
    at.toggle(key="special_tokens").set_value(False).run()
    assert rows(at)[PIECES]["ids"] == ev.tokenize(CAT, PIECES, special_tokens=False).ids
    assert "A model's own habits" not in cards(at)
    assert "add_special_tokens=False" in programs(at)[0]
    at = open_page(text=CAT, model_tokenizer=PIECES, special_tokens="false")
    assert rows(at)[PIECES]["ids"] == ev.tokenize(CAT, PIECES, special_tokens=False).ids


def test_the_switch_is_there_only_if_the_model_adds_something():
    assert "special_tokens" in switches(open_page(model_tokenizer=PIECES))
    assert "special_tokens" not in switches(open_page(model_tokenizer=GEMMA))


def test_the_page_says_where_a_space_before_the_text_changes_nothing():
    another = {"cut": "text", "leading_space": "true"}
    said = cards(open_page(model_tokenizer=PIECES, **another))["A model's own habits"]
    assert said.endswith(
        f"“Add prefix space” changes nothing for {PIECES}: there spaces are left out, or one stands before the first "
        "word anyway."
    )
    letters = cards(open_page(model_tokenizer=LETTERS, **another))
    assert "changes nothing" not in letters["A model's own habits"]
    of_pair = cards(open_page(model_tokenizer=PIECES))["A model's own habits"]
    assert of_pair == said
    without = cards(open_page(model_tokenizer=PIECES, prefix_space="false"))["A model's own habits"]
    assert "changes nothing" not in without


def test_both_sentences_have_the_tokens_of_the_model():
    at = open_page(model_tokenizer=PIECES, a="the cat", b="cat the")
    found = [{row["name"]: row["tokens"] for row in each["rows"]} for each in payloads(at) if "rows" in each]
    for each, text in zip(found, ("the cat", "cat the"), strict=True):
        assert list(each) == [*TOKENIZERS, PIECES]
        assert each[PIECES]["ids"] == ev.tokenize(text, PIECES).ids
    assert "The same IDs in both sentences, in another order" in cards(at)


@pytest.mark.parametrize(
    "name",
    [
        "bert", "a/b/c", "../../etc/passwd", "https://example.org/a", "<img src=x onerror=alert(1)>/x", "**a**/$b$",
        "owner/", "\u202eowner/name", "x" * 5000, "a\x00/b", "猫",
    ],
)  # fmt: skip
@pytest.mark.parametrize("how", ["typed", "url"])
def test_what_is_no_name_is_said_to_be_none_and_nothing_is_lost(name, how):
    at = open_page(model_tokenizer=name, text="a cat") if how == "url" else type_name(open_page(text="a cat"), name)
    (said,) = messages(at)
    assert said.endswith("is no name of a model. Write its owner, a slash and its name: google-bert/bert-base-uncased.")
    assert len(said) < 500
    assert at.text_input(key="model_tokenizer").value == name
    assert at.text_area(key="text").value == "a cat"
    assert list(rows(at)) == list(TOKENIZERS)


def test_a_tokenizer_that_cannot_be_had_is_said_and_comes_later(monkeypatch):
    at = open_page(tokenizers="gpt2")
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda model: tokenizer_files.away(model.name))
    type_name(at, PIECES)
    assert messages(at) == [f"The Hub does not have {PIECES}."]
    assert at.text_input(key="model_tokenizer").value == PIECES
    assert list(rows(at)) == ["gpt2"]
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda model: tokenizer_json(model.name))
    at.run()
    assert messages(at) == []
    assert list(rows(at)) == ["gpt2", PIECES]


def test_an_address_with_a_tokenizer_that_cannot_be_had_shows_the_others(monkeypatch):
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda model: tokenizer_files.away(model.name))
    at = open_page(model_tokenizer=PIECES, tokenizers=["gpt2", PIECES])
    assert messages(at) == [f"The Hub does not have {PIECES}."]
    assert "gpt2" in rows(at)
    assert PIECES not in rows(at)


@pytest.mark.parametrize(
    "data", [b"", b"<html>", b"{}", tokenizer_json(PIECES)[:-9]], ids=["empty", "a page", "without parts", "cut off"]
)
def test_a_damaged_file_is_said(data, monkeypatch):
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: data)
    at = type_name(open_page(), "owner/name")
    assert messages(at) == ["The tokenizer.json of owner/name is damaged, or of a kind that is not known here."]
    assert list(rows(at)) == list(TOKENIZERS)


def test_a_text_that_the_model_cannot_cut_leaves_the_others(monkeypatch):
    endless = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
    data = tokenizer_files.changed(LETTERS, pre_tokenizer=endless)
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: data)
    at = open_page(model_tokenizer="owner/name", text="the")
    assert "owner/name" in rows(at)
    at.text_area(key="text").set_value("a" * 40 + "b").run()
    assert not at.exception
    assert messages(at) == ["The tokenizer of owner/name fails at this text. Change the text, or choose another model."]
    assert list(rows(at)) == list(TOKENIZERS)
    at.text_area(key="text").set_value("the").run()
    assert list(rows(at)) == [*TOKENIZERS, "owner/name"]


@pytest.mark.parametrize("name", [PIECES, LETTERS, "test/llama"])
@pytest.mark.parametrize(
    "text", ["", "\x00", " ", "<|end_of_text|>[SEP]</s>", "e\u0301🐈 \u202e", "<img src=x>", "**b** $x$"]
)
def test_hostile_texts_are_cut_as_they_are(name, text):
    at = open_page(model_tokenizer=name, tokenizers=name, text=text)
    assert not at.error
    assert [each.value for each in at.markdown] == ["One text, several ways to cut it"]
    if text:
        assert rows(at)[name]["ids"] == ev.tokenize(text, name, False).ids
