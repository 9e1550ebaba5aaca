"""An address as Streamlit reads it, in which each option is what its control shows."""

import html
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.i18n import speaking, translated
from embedviz.base.pages import PAGES, page_at
from embedviz.server.address import MOVED, OLDER_OPTIONS, for_scripts, for_streamlit, of_today, unescaped
from embedviz.ui.options import OPTIONS

EVERY = [(PAGES[0], key, options) for key, options in OPTIONS.items()]
EVERY += [(page, "view", page.views) for page in PAGES if page.views]
NAMES = [f"{page.name} {key}" for page, key, _options in EVERY]
QUERY = "a=dog+bites+man&b=man%20bites%20dog&seed=7"


def understood(page: str, **address: str) -> dict[str, str]:
    found = parse_qs(for_streamlit(page_at(page), urlencode(address)), keep_blank_values=True)
    return {name: value for name, (value,) in found.items()}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("page", "key", "options"), EVERY, ids=NAMES)
def test_a_name_the_english_and_what_is_shown_mean_the_same(page, key, options, language):
    with speaking(language):
        about = for_scripts()
        names = about["views"][page.address] if key == "view" else about["options"][key]
        for name, text in options.items():
            shown = translated(text)
            assert names[shown] == name
            for value in (name, text, shown):
                assert understood(page.name, **{key: value}) == {key: shown}


def test_the_name_of_a_view_is_one_of_its_page():
    assert understood("positions", view="table") == {"view": "Table"}
    assert understood("models", view="table") == {"view": "table"}


@pytest.mark.parametrize("key", OLDER_OPTIONS)
def test_what_an_option_was_called_before_is_still_read(key):
    for text, name in OLDER_OPTIONS[key].items():
        own = OPTIONS.get(key, {})  # the names of models are no options of a list
        assert text not in own.values()
        assert understood("batches", **{key: text}) == {key: own.get(name, name)}


def test_what_is_no_option_stays_as_it_is():
    address = {"view": "nothing", "rope": "<b>", "a": "Scores", "seed": "7", "text": "rows"}
    assert understood("relative", **address) == address


def test_the_text_of_an_old_address_of_training_is_the_corpus_of_today():
    assert understood("training", text="My own") == {"corpus": "My own"}
    assert understood("training", text="My own", corpus="grammar") == {"corpus": "Cats, dogs and mats"}
    assert understood("tokenizers", text="My own") == {"text": "My own"}


@pytest.mark.parametrize("separator", ["&", "&amp;", "&amp;amp;", "&AMP;", "&amp%3Bamp;"])
def test_a_link_that_went_through_html_says_the_same(separator):
    assert unescaped(QUERY.replace("&", separator)) == QUERY


@given(st.dictionaries(st.sampled_from(["a", "b", "text"]), st.text(max_size=9) | st.sampled_from(["&amp;b=", "amp;"])))
def test_no_text_is_touched_that_holds_what_html_would_write(texts):
    query = urlencode({key: text.encode("utf-8", "replace") for key, text in texts.items()})
    assert unescaped(query) == query
    assert unescaped(html.escape(query)) == query


def test_what_stood_after_a_link_is_no_part_of_an_option():
    assert understood("compare", view="map).", a="(cats).") == {"view": "Map", "a": "(cats)."}
    whole = "The Verdict, opening (Edith Wharton)"
    assert understood("batches", sample=whole) == {"sample": whole}


def test_a_view_that_has_moved_leads_to_one_that_is_there():
    for name, moved in MOVED.items():
        for older in moved:
            page, query = page_at(name), urlencode({"view": older})
            assert older not in page.views
            there, today = of_today(page, query)
            (view,) = parse_qs(today)["view"]
            assert view in there.views
    assert of_today(page_at("lookup"), "view=positions")[0] is page_at("positions")
    there = of_today(page_at("layers"), "view=heads&layer=2")
    assert there == (page_at("attention"), "view=head&layer=2&looks=own")
