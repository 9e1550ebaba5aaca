"""What a visitor sees is a value; its address, read again, is that value whole, whichever page read it in between."""

from collections import Counter
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embedviz.base.i18n import use_language
from embedviz.base.pages import PAGES
from embedviz.server import address
from embedviz.text.tokens import TOKENIZERS
from tests.pages import controls
from tests.pages.site import visit

WORDS = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=12).map(" {} cat".format)
# Values that differ from the usual ones, which do not stand in an address.
COMPARE = {
    "a": WORDS,
    "b": WORDS,
    "tokenizer": st.sampled_from([name for name in TOKENIZERS if name != "gpt2"]),
    "prefix_space": st.just(False),
    "output_dim": st.sampled_from([8, 16, 64]),
    "seed": st.integers(0, 122),
    "position": st.sampled_from(["none", "sinusoidal", "rope", "alibi"]),
    "position_scale": st.sampled_from([0.0, 0.5, 2.25]),
    "context_length": st.integers(600, 1000),
    "scale_embeddings": st.just(True),
    "first": st.sampled_from(["16", "64", "all"]),
}
VIEWS = [page for page in PAGES if page.views]


def read(at) -> dict[str, object]:
    """The value of every control of the page."""
    kinds = ("text_input", "text_area", "number_input", "selectbox", "slider", "toggle", "segmented_control")
    return {widget.key: widget.value for kind in kinds for widget in at.get(kind) if widget.key}


def written(at, *names: str) -> dict[str, str]:
    """What the address says of these names."""
    found = {name: at.query_params[name] for name in names}
    return {name: value[0] if isinstance(value, list) else value for name, value in found.items()}


@given(state=st.fixed_dictionaries({}, optional=COMPARE))
@settings(max_examples=20)
def test_a_state_written_into_an_address_is_read_back_whole(state):
    values = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in state.items()}
    found = parse_qs(urlencode(values), keep_blank_values=True)
    at = visit(view="pairs", **found)
    assert not at.exception
    assert {key: read(at)[key] for key in state} == state
    assert written(at, *values) == values


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_takes_out_of_the_address_what_another_page_needs(page):
    before = {
        "a": "dog bites man", "b": "man bites dog", "tokenizer": "words", "seed": "7", "position": "rope",
        "position_scale": "0.5", "prefix_space": "false", "lang": "de", "hide": "share",
    }  # fmt: skip
    at = visit(page.name, **before)
    assert not at.exception
    assert written(at, *before) == before
    with use_language("de"):  # AppTest itself reads what the options show
        at.run()
    assert written(at, *before) == before


@pytest.mark.parametrize("page", VIEWS, ids=lambda page: page.name)
def test_views_are_read_by_name_and_by_their_english_titles(page):
    for name, title in page.views.items():
        for value in (name, title):
            assert visit(page.name, view=value).segmented_control(key="view").value == name


def test_what_goes_along_is_what_a_control_of_several_pages_holds():
    # The settings of Compare are on its pairs.
    views = {"compare": {"view": "pairs"}}
    shown = [controls.values(visit(page.name, **views.get(page.name, {}))).keys() for page in PAGES]
    of_some = Counter(key for keys in shown for key in keys)
    assert set(address.TRAVELS) - of_some.keys() == {
        "special_tokens",
        "present",
        "hide",
        "lang",
        "embed",
        "embed_options",
        "solved",
        "lesson",
        "station",
        "vote",
    }  # asked of models only
    assert all(of_some[name] > 1 for name in address.TRAVELS if name in of_some)
    with_both = {page.name for page, keys in zip(PAGES, shown, strict=True) if {"a", "b"} <= keys}
    assert with_both == {page.name for page in PAGES if page.has_sentences}


def test_a_link_that_went_through_html_and_a_mail_shows_the_same():
    """AppTest writes `amp%3Bb` for `amp;b`, as some mail programs do."""
    at = visit(
        **{
            "view": "pairs",
            "a": "dog bites man",
            "amp;b": "man bites dog",
            "amp;amp;position_scale": "0.5",
            "amp;seed": "7).",
        }
    )
    assert not at.exception
    assert {key: read(at)[key] for key in ("b", "seed", "position_scale")} == {
        "b": "man bites dog", "seed": 7, "position_scale": 0.5
    }  # fmt: skip
