"""The page "Training" as a person sees it."""

import pytest
from axe_playwright_python.sync_playwright import Axe


def test_the_slider_moves_the_pictures_without_a_rerun(visit):
    page = visit("/training", drawn=False)
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 2")
    page.get_by_role("slider", name="Snapshot").fill("0")
    page.wait_for_function(
        "document.querySelector('.ev-plot').getAttribute('aria-label').endsWith('On screen: before training.')"
    )


@pytest.mark.parametrize("part", ["Words", "Positions", "Order"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_scrolls_sideways_and_axe_finds_nothing_serious(visit, part, theme, width):
    page = visit(f"/training?part={part}", width, 720, theme, drawn=False)
    page.wait_for_selector(".ev-plot[data-drawn]")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    serious = [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")]
    assert serious == []
