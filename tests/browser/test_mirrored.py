"""A language that runs to the left: the page is mirrored, and pictures and sentences run as they always do."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import server
from tests.browser.access import check_layout
from tests.browser.views import settle
from tests.pseudo import write
from tests.views import VIEWS
from tests.views import address as path_of

# The right edge of an element's words.
WORDS_END = """(element) => {
  const range = new Range()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().right
}"""

OF_PAGES = {view.page: view for view in reversed(VIEWS.values())}  # the first view of each page

pytestmark = pytest.mark.xdist_group("mirrored")


@pytest.fixture(scope="module")
def in_arabic(tmp_path_factory):
    """A server that speaks this language to everybody."""
    folder, port = tmp_path_factory.mktemp("mirrored"), server.free_port()
    write(folder / "ar.po", locale="ar")
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_LANGUAGE": str(folder / "ar.po")}) as address:
        yield address


@pytest.fixture
def visit_mirrored(window, in_arabic):
    pages = []

    def open_page(path: str, width: int = 1280, height: int = 720):
        page = window.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{in_arabic}{path}{'&' if '?' in path else '?'}lang=ar")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)
        return page

    yield open_page
    for page in pages:
        page.close()


@pytest.mark.parametrize("page", OF_PAGES)
def test_every_page_is_mirrored_and_nothing_is_cut_or_covered(visit_mirrored, page):
    page = visit_mirrored(path_of(OF_PAGES[page]))
    assert page.evaluate("document.dir") == "rtl"
    check_layout(page)
    begins = page.get_by_role("heading", level=1).evaluate(WORDS_END)
    assert begins > 1280 - 60  # at the right
    plots = page.locator(".ev-plot").evaluate_all("plots => plots.map(plot => getComputedStyle(plot).direction)")
    assert set(plots) <= {"ltr"}


@pytest.mark.parametrize(("text", "step"), [("the cat sat", 1), ("القط على الحصير", -1)])
def test_a_sentence_runs_as_its_script_does_and_so_do_its_keys(visit_mirrored, text, step):
    page = visit_mirrored(f"/?view=pairs&a={text}&b={text}&tokenizer=words")
    rows = page.locator(".order ol")
    chips = rows.nth(1).get_by_role("button")
    lefts = [each.bounding_box()["x"] for each in chips.all()]
    assert lefts == sorted(lefts)[::step]
    first = chips.first.get_attribute("data-id")
    chips.first.press("Alt+ArrowRight" if step > 0 else "Alt+ArrowLeft")
    expect(chips.nth(1)).to_have_attribute("data-id", first)


def test_in_a_hall_the_key_to_the_left_leads_on(visit_mirrored):
    page = visit_mirrored("/attention?present=1")
    mark, share = page.locator(".ev-slides"), page.locator(".st-key-share")
    expect(mark.locator("output")).to_have_text(re.compile("^1 / "))
    page.keyboard.press("ArrowLeft")
    expect(mark.locator("output")).to_have_text(re.compile("^2 / "))
    page.keyboard.press("ArrowRight")
    expect(mark.locator("output")).to_have_text(re.compile("^1 / "))
    end, start = (each.bounding_box() for each in (share, mark))  # in the corner at the left, the mark after them
    assert end["x"] < 100
    assert end["x"] + end["width"] < start["x"]
