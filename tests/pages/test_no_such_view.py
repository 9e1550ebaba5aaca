"""A link to a view that does not exist opens its page, and one line says so until the visitor goes on."""

import pytest
from streamlit.testing.v1 import AppTest

from embedviz.base.i18n import translated, use_language
from embedviz.base.pages import PAGES
from pages.tour.steps import STEPS
from tests.pages.controls import values
from tests.pages.site import shown, visit

SAID = "Your link names a view that does not exist here, so the page opens as usual."
HOSTILE = (
    "nobody", "<img src=x onerror=alert(1)>", "**b** $x$ :material/edit: [a](http://example.org)", "x" * 5000,
    "\u202eab", "'; drop", "None", "0", " ", "pairs,map", "%00", "../tour", "__proto__",
)  # fmt: skip
EVERY = [pytest.param(page, id=page.name) for page in PAGES]


def line(at: AppTest) -> str:
    """What is said about the link."""
    strip = shown(at, "strip_no_such_view")
    return strip["text"] if strip else ""


@pytest.mark.parametrize("page", EVERY)
def test_each_page_says_so_opens_as_usual_and_shows_nothing_of_the_name(page):
    usual = visit(page.name)
    assert line(usual) == ""
    for name in HOSTILE:
        at = visit(page.name, view=name)
        assert not at.exception
        assert line(at) == SAID, name
        assert values(at) == values(usual), name
        strip = shown(at, "strip_no_such_view")
        assert {key: part for key, part in strip.items() if part} == {"text": SAID, "tone": "plain"}


@pytest.mark.parametrize("page", EVERY)
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_link_to_a_view_that_is_there_says_nothing_in_any_language(page, language):
    views = {step.key: step.key for step in STEPS} if page.name == "tour" else page.views
    for name, title in views.items():
        with use_language(language):
            said = (name, f"{name})." if views is page.views else name, title, translated(title), "")
        for each in dict.fromkeys(said):
            if views is page.views or each in (name, ""):
                assert line(visit(page.name, view=each, lang=language)) == "", each


def test_the_line_stays_with_the_view_and_goes_with_the_visitor():
    at = visit("relative", view="nobody")
    at.text_input(key="sentence").set_value("dog bites man").run()
    assert line(at) == SAID
    at.segmented_control(key="view").set_value("distance").run()
    assert line(at) == ""
    at.query_params["view"] = "nobody"  # as Back does
    at.run()
    assert line(at) == ""


def test_the_line_goes_with_the_step_of_the_tour():
    at = visit("tour", view="nobody")
    assert line(at) == SAID
    at.query_params["view"] = "positions"
    at.run()
    assert line(at) == ""


def test_in_a_hall_the_line_is_a_slide_before_the_view():
    at = visit("relative", view="nobody", present="1")
    assert line(at) == SAID
