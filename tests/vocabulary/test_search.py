"""Search against Python's own means: what is found, and in which order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.vocabulary.search import search
from embedviz.vocabulary.vocabulary import Vocabulary, vocabulary


@pytest.fixture(scope="module")
def gpt2() -> Vocabulary:
    return vocabulary(ev.Spec())


def texts(found: Vocabulary, ids: np.ndarray) -> list[str]:
    return [found.texts[id_] for id_ in ids]


@pytest.mark.parametrize("text", ["cat", "CAT", "␣the", "(", ".*", "é", "\\", " "])
def test_what_contains_the_text_is_found_whatever_the_case(gpt2, text):
    wanted = text.replace("␣", " ").lower()
    expected = [n for n, token in enumerate(gpt2.texts) if wanted in token.lower()]
    assert sorted(search(gpt2, text).tolist()) == expected
    assert expected


def test_the_word_itself_comes_first_and_what_only_contains_it_last(gpt2):
    found = texts(gpt2, search(gpt2, "cat"))
    assert found[0] == "cat"
    assert set(found[1:4]) == {" cat", "Cat", " Cat"}
    begins = [token.strip().lower().startswith("cat") for token in found]
    assert begins == sorted(begins, reverse=True)
    assert not begins[found.index("ification")]
    assert texts(gpt2, search(gpt2, " cat"))[:2] == [" cat", " Cat"]


def test_tokens_that_match_as_well_keep_their_order(gpt2):
    ids = search(gpt2, "ification")
    rest = [id_ for id_ in ids.tolist() if not gpt2.texts[id_].strip().lower().startswith("ification")]
    assert rest == sorted(rest)


def test_nothing_is_found_by_nothing(gpt2):
    assert len(search(gpt2, "")) == len(search(gpt2, "\ud800x")) == 0


@given(st.text(min_size=1, max_size=5))
def test_every_hit_contains_the_text(text):
    found = vocabulary(ev.Spec(tokenizer="words"))
    hits = search(found, text)
    assert all(text.replace("␣", " ").casefold() in hit.casefold() for hit in texts(found, hits))
