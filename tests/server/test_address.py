"""An address as Streamlit reads it, in which each option is what its control shows."""

import html
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.i18n import translated, use_language
from embedviz.base.pages import PAGES, page_at
from embedviz.server.address import for_scripts, for_streamlit, unescaped
from embedviz.ui.inputs.options import OPTIONS

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
    with use_language(language):
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


def test_what_is_no_option_stays_as_it_is():
    address = {"view": "nothing", "rope": "<b>", "a": "Scores", "seed": "7", "text": "rows"}
    assert understood("relative", **address) == address


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
