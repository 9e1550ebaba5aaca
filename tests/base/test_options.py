"""Options have names of their own in addresses, and old addresses are still read."""

import html
import re
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base import options
from embedviz.base.options import OPTIONS, understood, unescaped
from embedviz.text import samples

EVERY = [(key, name) for key, names in OPTIONS.items() for name in names]


@pytest.mark.parametrize(("key", "name"), EVERY)
def test_a_name_the_english_and_what_is_shown_mean_the_same(key, name):
    shown = options.label_of(key)(name)
    for value in (name, OPTIONS[key][name], shown):
        assert understood({key: [value]}) == {key: [shown]}


def test_no_name_is_what_another_option_shows():
    for key, names in OPTIONS.items():
        shown = options.names()[key]
        assert len(shown) == len(names)
        assert all(shown.get(name, name) == name for name in names)


def test_names_need_no_signs_in_an_address():
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for _key, name in EVERY)


@pytest.mark.parametrize("key", options.EARLIER)
def test_what_an_option_was_called_before_is_still_read(key):
    for text, name in options.EARLIER[key].items():
        assert text not in OPTIONS[key].values()
        assert understood({key: [text]}) == {key: [options.label_of(key)(name)]}


def test_what_is_no_option_stays_as_it_is():
    address = {"relative": ["nothing", "<b>"], "a": ["Scores"], "seed": ["7"], "text": ["rows"]}
    assert understood(address) == address


def test_the_text_of_an_old_address_of_training_is_the_corpus_of_today():
    assert understood({"text": ["My own"]}) == {"text": ["My own"], "corpus": ["My own"]}
    assert understood({"text": ["My own"], "corpus": ["grammar"]})["corpus"] == ["Cats, dogs and mats"]


def test_every_sample_text_is_an_option():
    assert [*OPTIONS["sample"].values()][:-2] == [sample.name for sample in samples.texts()]


def test_a_text_that_is_an_excerpt_is_called_one():
    """The Verdict has some 20,000 characters, and Romeo and Juliet more than 100,000."""
    verdict, romeo, _mat = samples.texts()
    assert len(verdict.text) < 2_000
    assert "opening" in verdict.name
    assert len(romeo.text) < 1_000
    assert "prologue" in romeo.name
    assert "THE PROLOGUE" in romeo.text


QUERY = "a=dog+bites+man&b=man%20bites%20dog&seed=7"


@pytest.mark.parametrize("separator", ["&", "&amp;", "&amp;amp;", "&AMP;", "&amp%3Bamp;"])
def test_a_link_that_went_through_html_says_the_same(separator):
    assert unescaped(QUERY.replace("&", separator)) == QUERY


@given(st.dictionaries(st.sampled_from(["a", "b", "text"]), st.text(max_size=9) | st.sampled_from(["&amp;b=", "amp;"])))
def test_no_text_is_touched_that_holds_what_html_would_write(texts):
    query = urlencode({key: text.encode("utf-8", "replace") for key, text in texts.items()})
    assert unescaped(query) == query
    assert unescaped(html.escape(query)) == query


def test_what_stood_after_a_link_is_no_part_of_an_option():
    assert understood({"compare": ["map)."], "a": ["(cats)."]}) == {"compare": ["Map"], "a": ["(cats)."]}
    whole = "The Verdict, opening (Edith Wharton)"
    assert understood({"sample": [whole]}) == {"sample": [whole]}
