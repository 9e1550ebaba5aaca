"""Search against Python's own means, and patterns that would run for ever or fill the memory."""

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.vocabulary import search as module
from embedviz.vocabulary.search import MAX_PATTERN, search
from embedviz.vocabulary.vocabulary import Vocabulary, vocabulary


@pytest.fixture(scope="module")
def gpt2() -> Vocabulary:
    return vocabulary(ev.Spec())


def texts(found: Vocabulary, ids: np.ndarray) -> list[str]:
    return [found.texts[id_] for id_ in ids]


@pytest.mark.parametrize("pattern", ["cat", "CAT", "␣the", "(", ".*", "é", "\\"])
def test_plain_search_finds_what_contains_it_whatever_the_case(gpt2, pattern):
    wanted = pattern.replace("␣", " ").lower()
    expected = [n for n, text in enumerate(gpt2.texts) if wanted in text.lower()]
    assert search(gpt2, pattern).ids.tolist() == expected
    assert expected


@pytest.mark.parametrize("pattern", ["^ ?cat$", r"^\d{4}$", "(?i)^ dog", r"[.]{2,}", "^(?! ).*ing$"])
def test_regular_expressions_find_what_pythons_own_find(gpt2, pattern):
    expected = [n for n, text in enumerate(gpt2.texts) if re.search(pattern, text)]
    assert search(gpt2, pattern, regular=True, timeout=60).ids.tolist() == expected
    assert expected


def test_the_mark_for_a_space_is_a_space_in_a_regular_expression_too(gpt2):
    assert texts(gpt2, search(gpt2, "^␣cat$", regular=True, timeout=60).ids) == [" cat"]


def test_nothing_is_found_by_nothing(gpt2):
    assert len(search(gpt2, "")) == len(search(gpt2, "", regular=True)) == 0


@given(st.text(min_size=1, max_size=5))
def test_every_hit_contains_the_text(text):
    found = vocabulary(ev.Spec(tokenizer="words"))
    hits = search(found, text)
    assert all(text.replace("␣", " ").casefold() in hit.casefold() for hit in texts(found, hits.ids))


def test_a_pattern_that_would_run_for_ever_is_cut_off():
    endless = Vocabulary("words", ("a" * 60 + "!",), np.zeros(1, np.uint8), np.array([61], np.int32))
    began = time.monotonic()
    with pytest.raises(ev.EmbedvizError, match=r"was cut off after 0.3 s"):
        search(endless, r"(a|aa|a?)+$", regular=True, timeout=0.3)
    assert time.monotonic() - began < 120


@pytest.mark.parametrize("pattern", ["((a{1000}){1000}){1000}", "(?R)"])
def test_a_pattern_that_would_fill_the_memory_is_ended(gpt2, pattern):
    with pytest.raises(ev.EmbedvizError, match=r"too much memory|cut off"):
        search(gpt2, pattern, regular=True)


@pytest.mark.parametrize("pattern", ["[", "(", r"\p{Nope}", "a{99999999999999999999}", "(?P=m)", "*"])
def test_what_is_no_regular_expression_is_said_to_be_none(gpt2, pattern):
    with pytest.raises(ev.EmbedvizError, match=r"Invalid regular expression: .* Fix it"):
        search(gpt2, pattern, regular=True)
    search(gpt2, pattern)  # as a plain text it is fine


def test_long_patterns_are_refused_and_lone_surrogates_are_no_text(gpt2):
    with pytest.raises(ev.EmbedvizError, match=f"at most {MAX_PATTERN}"):
        search(gpt2, "a" * (MAX_PATTERN + 1))
    assert len(search(gpt2, "\ud800x\ud800", regular=True, timeout=60)) == 0


def test_a_search_whose_turn_does_not_come_says_so_and_plain_text_needs_none(gpt2, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with module._TURNS, module._TURNS:  # two searches of others
        with pytest.raises(ev.EmbedvizError, match=r"^Many visitors search .* Try again in a moment"):
            search(gpt2, "^ ?cat$", regular=True)
        assert len(search(gpt2, "cat"))
    assert texts(gpt2, search(gpt2, "^ cat$", regular=True, timeout=60).ids) == [" cat"]
