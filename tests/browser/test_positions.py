"""The page "Positions" as a person sees it."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import come_back, settle

VIEWS = ("Table", "Pairs", "Similarity", "Side by side", "Past the end", "Real models")


@pytest.fixture
def opened(visit):
    def open_page(view: str = "Table", **window) -> Page:
        page = visit(f"/positions?view={quote(view)}", drawn=False, **window)
        page.wait_for_selector(".ev-plot[data-drawn]" if view in VIEWS else "text=Nearest token vectors")
        return page

    return open_page


def test_sliding_past_the_end_is_an_error_for_the_learned_table_even_if_the_page_answers_too_slowly(opened):
    page = opened("Past the end")
    expect(page.get_by_role("heading", name="Learned: an error, no row 64")).to_be_visible()
    page.get_by_role("slider", name="Length of the text").focus()
    for _ in range(16):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_be_visible()
    length = page.get_by_role("slider", name="Length of the text")
    for pause in (0, 10):
        length.focus()
        for key in ["ArrowLeft"] * 8 + ["ArrowRight"] * 10:
            length.press(key, delay=pause)
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_be_visible()
    expect(page.get_by_role("radio", name="Similarity")).to_be_enabled()
    come_back(page, "/positions?view=Table")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_have_count(0)
    settle(page)
    switching_the_table_redraws(page)


# Axes of the figures, by whether Plotly measures all their labels again for each of them.
MEASURED_AGAIN = """() => [...document.querySelectorAll(".ev-plot")].flatMap(({ _fullLayout }) =>
  Object.entries(_fullLayout).filter(([name]) => /^[xy]axis/.test(name))
    .map(([, { ticklabeloverflow }]) => ticklabeloverflow !== "allow"))"""


def switching_the_table_redraws(page: Page) -> None:
    axes = page.evaluate(MEASURED_AGAIN)
    assert axes
    assert not any(axes)
    page.get_by_role("radio", name="learned").click()
    expect(page.get_by_role("heading", name="GPT-2's are learned")).to_be_visible()
    page.wait_for_url("**kind=learned*")
