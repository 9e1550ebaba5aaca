"""The page "Relative" as a person sees it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

DRAWN = ".ev-plot[data-drawn], .table table"


def test_a_line_of_the_table_leads_to_its_view(visit):
    page = visit("/relative?relative=Which+one", drawn=False)
    page.get_by_role("button", name="By distance: RoPE").click()
    expect(page.get_by_role("heading", name="ALiBi: −0.5 a token")).to_be_visible()
    assert "relative=By+distance" in page.url


def test_typing_redraws_the_grid_in_place(visit):
    page = visit("/relative", drawn=False)
    page.wait_for_selector(DRAWN)
    page.get_by_role("textbox", name="Sentence").fill("dog bites man")
    page.wait_for_function("document.querySelector('.ev-plot').data?.[0].y.length === 3")
    assert page.locator(".ev-plot").evaluate("plot => plot.data.length") == 9


@pytest.mark.parametrize("view", ["Scores", "Shift+test", "By+distance", "Longer+texts", "Which+one"])
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_nothing_scrolls_sideways_and_axe_finds_nothing_serious(visit, view, width, theme):
    page = visit(f"/relative?relative={view}", width, 720, theme, drawn=False)
    page.wait_for_selector(DRAWN)
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    serious = [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")]
    assert serious == []
