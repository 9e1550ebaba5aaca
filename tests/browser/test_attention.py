"""The page "Attention" as a person sees it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import outline

ROWS = "() => [...document.querySelectorAll('.ev-plot')].map(plot => plot.dataset.lit)"


@pytest.fixture
def opened(visit):
    def open_page(query: str = "", **window) -> Page:
        page = visit(f"/attention{query}", drawn=False, **window)
        page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 2")
        return page

    return open_page


def test_the_claims_and_the_weights_are_on_one_screen_and_pointing_lights_up_what_belongs_together(opened):
    page = opened()
    for title in ("No positions, no mask: 8 of 8 the same", "Causal mask, no positions: 0 of 8 the same"):
        expect(page.get_by_role("heading", name=title)).to_be_in_viewport(ratio=1)
    expect(page.locator(".ev-plot").first).to_be_in_viewport(ratio=0.97)
    pointing_at_a_chip_lights_up_weights_and_outputs(page)
    page.mouse.move(0, 0)
    expect(page.locator("button.lit")).to_have_count(0)
    pointing_at_a_weight_lights_up_both_tokens_that_it_is_between(page)
    page.mouse.move(0, 0)
    the_mask_is_one_click_and_a_pair_with_another_prefix_space_sets_the_whole_page(page)


def pointing_at_a_chip_lights_up_weights_and_outputs(page: Page) -> None:
    page.get_by_role("button", name="position 1: ␣cat").hover()
    assert page.evaluate(ROWS) == ["3797", "3797"]


def pointing_at_a_weight_lights_up_both_tokens_that_it_is_between(page: Page) -> None:
    box = outline(page.locator(".ev-plot .heatmaplayer").first)
    page.mouse.move(box["x"] + box["width"] * 2.5 / 6, box["y"] + box["height"] * 1.5 / 6)
    lit = page.locator("button.lit .text")
    expect(lit.filter(has_text="sat").first).to_be_visible()  # its column
    expect(lit.filter(has_text="cat").first).to_be_visible()  # its row


def the_mask_is_one_click_and_a_pair_with_another_prefix_space_sets_the_whole_page(page: Page) -> None:
    page.get_by_text("Causal mask", exact=True).click()
    expect(page.get_by_role("heading", name="Learned, causal mask: 0 of 8 the same")).to_be_visible()
    page.wait_for_url("**causal=true*")
    page.get_by_role("combobox", name="Ready pairs").click()
    page.get_by_role("option", name="Dog bites man").click()
    expect(page.get_by_role("heading", name="No positions, no mask: 3 of 3 the same")).to_be_visible()
