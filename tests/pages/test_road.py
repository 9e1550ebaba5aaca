"""The same two sentences at every station of the road: those of its address, or the usual pair."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.base.pages import ROAD, Page
from embedviz.text.samples import usual_pair
from tests.models.shelf import on_shelf
from tests.pages.site import messages, programs, shown, visit

USUAL = (usual_pair().a, usual_pair().b)
OWN = ("my brother hates the dog", "the dog hates my brother")
SMALL = ("the fox sees the child", "the child sees the fox")  # which the small GPT knows
STATIONS = ["compare", "tokenizers", "lookup", "positions", "attention", "layers", "next_word"]
NAME = "own/model"


def station(page: Page, texts: tuple[str, str]) -> AppTest:
    """A page of the road at an address with these sentences; without any if they are the usual ones."""
    at = visit(page.address, **({} if texts == USUAL else dict(zip("ab", texts, strict=True))))
    assert not at.exception
    assert not at.error
    return at


def fields(at: AppTest) -> dict[str, str]:
    return {each.key: each.value for each in at.text_input if each.key in ("a", "b")}


def chips(at: AppTest) -> list[str]:
    """A and B from the tokens that stand under their names."""
    found = [shown(at, f"chips_{name}")["chips"] for name in "AB"]
    return [" ".join(chip["text"].strip("␣") for chip in each) for each in found]


def looked_up(at: AppTest) -> list[str]:
    """A and B from the names of the rows that are looked up."""
    coloured = shown(at, "sentence_rows")["layout"]["yaxis3"]["ticktext"]
    names = [re.sub(r"<[^>]*>", "", name) for name in coloured]
    words = [(name[0], name.partition(" ")[2].strip("\u2068\u2069␣")) for name in names]
    return [" ".join(word for sentence, word in words if sentence == name) for name in "AB"]


def test_the_road_has_these_stations():
    assert [page.name for page in ROAD] == STATIONS


@pytest.mark.parametrize("texts", [USUAL, OWN, SMALL], ids=["usual", "own", "small"])
@pytest.mark.parametrize("page", ROAD, ids=lambda page: page.name)
def test_every_station_shows_the_sentences_of_the_address(page, texts):
    found = fields(station(page, texts))
    expected = {"a": texts[0], "b": texts[1]}
    if page.name == "positions":
        expected = {"a": texts[0]}
    if page.name == "next_word" and texts == USUAL:
        expected = {}  # a ready question asks about them
    assert found == expected


@pytest.mark.parametrize("texts", [USUAL, OWN, SMALL], ids=["usual", "own", "small"])
def test_what_is_drawn_at_a_station_is_of_the_sentences_of_the_address(texts):
    at = {page.name: station(page, texts) for page in ROAD}
    whole = shown(at["compare"], "whole")["sentences"]
    for text, drawn in zip(texts, whole, strict=True):
        assert "".join(part for part, _ in drawn).strip().startswith(text)
    segments = [shown(at["tokenizers"], f"segments_{name}")["text"] for name in "AB"]
    assert segments == [*texts]
    assert looked_up(at["lookup"]) == [*texts]
    names = shown(at["positions"], "arrows")["names"]
    assert [names[key].strip("\u2068\u2069").split()[-1].strip("\u2068\u2069␣") for key in ("token", "other")] == (
        texts[0].split()[1:3]
    )
    (compared,) = shown(at["attention"], "plain")["data"]
    assert [compared["meta"][ids] for ids in ("ids", "column_ids")] == [ev.tokenize(text, "gpt2").ids for text in texts]
    question = {USUAL: ", who sat ?", SMALL: ", who sees ?"}.get(texts)
    read = [f"{text} {question}" for text in texts] if question else [f"{text} , who sat ?" for text in USUAL]
    assert chips(at["next_word"])[:2] == read
    for name in STATIONS[:5]:
        assert messages(at[name]) == []


INSTEAD = "small GPT reads the cat sat on the mat and the mat sat on the cat instead."


@pytest.mark.parametrize("name", ["layers", "next_word"])
def test_a_small_gpt_that_lacks_a_word_says_so_and_reads_the_usual_pair(name):
    page = next(each for each in ROAD if each.name == name)
    at, usual = station(page, OWN), visit(page.address, **({"sentences": "own"} if name == "next_word" else {}))
    said = [each.replace("\u2068", "").replace("\u2069", "") for each in messages(at)]
    (warning,) = (each for each in said if INSTEAD in each)
    assert warning.startswith("Not in the vocabulary: brother, hates, my. ")
    assert len(at.warning) == 1
    assert not [each for each in messages(usual) if "instead" in each]
    drawn = {"layers": "copies", "next_word": "next_word"}[name]
    assert repr(shown(at, drawn)) == repr(shown(usual, drawn))
    at.text_input(key="a").set_value(SMALL[0]).run()
    assert [each.value for each in at.warning]  # of B
    at.text_input(key="b").set_value(SMALL[1]).run()
    assert not at.warning
    assert repr(shown(at, drawn)) == repr(shown(visit(page.address, a=SMALL[0], b=SMALL[1]), drawn))
    assert repr(shown(at, drawn)) != repr(shown(usual, drawn))


def test_a_model_of_this_machine_that_knows_the_words_reads_own_sentences_on_layers(models_folder):
    on_shelf("gpt2", models_folder / NAME, "the dog", with_head=True)
    layers = next(each for each in ROAD if each.name == "layers")
    at = station(layers, OWN)
    assert fields(at) == {"a": OWN[0], "b": OWN[1]}
    assert messages(at) == []
    (program,) = programs(at)
    assert all(str(ev.tokenize(text, NAME).ids) in program for text in OWN)
    assert not any(str(ev.tokenize(text, NAME).ids) in program for text in USUAL)
