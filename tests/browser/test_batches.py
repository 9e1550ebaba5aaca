"""The page "Batches" as a person sees it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import come_back, outline


def test_pointing_lights_what_belongs_together_and_a_click_shows_three_vectors(visit):
    page = visit("/batches", drawn=False)
    pointing_at_a_cell_lights_the_token_and_its_target(page)
    page.mouse.move(0, 0)
    pointing_at_a_window_lights_all_of_it(page)
    clicking_a_cell_shows_its_three_vectors(page)
    pointing_at_a_row_shows_where_its_positional_vector_is_used_again_and_a_short_text_says_what_would_do(page)


def pointing_at_a_cell_lights_the_token_and_its_target(page: Page) -> None:
    page.locator("table").first.locator("td").nth(5).hover()  # window 1, position 1
    expect(page.locator(".token.lit")).to_have_text("␣Jack")
    expect(page.locator(".token.aim")).to_have_text("␣G")
    expect(page.locator("td.lit")).to_have_count(2)


def pointing_at_a_window_lights_all_of_it(page: Page) -> None:
    page.locator("th", has_text="2").first.focus()
    expect(page.locator(".token.lit")).to_have_text(["2burn", "␣rather", "␣a", "␣cheap"])
    expect(page.locator(".token.aim")).to_have_count(4)  # each next token


def clicking_a_cell_shows_its_three_vectors(page: Page) -> None:
    page.locator("table").first.locator("td").nth(6).click()
    page.wait_for_selector(".ev-plot[data-drawn]")
    expect(page.locator(".ev-plot")).to_be_in_viewport(ratio=1)  # it stands below the fold, and comes up
    token, place, total = page.locator(".ev-plot").evaluate("plot => plot.data.map(trace => [...trace.z[0]])")
    assert total == pytest.approx([a + b for a, b in zip(token, place, strict=True)], abs=1e-6)


def pointing_at_a_row_shows_where_its_positional_vector_is_used_again_and_a_short_text_says_what_would_do(
    page: Page,
) -> None:
    come_back(page, "/batches?view=Shapes")
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 2")
    box = outline(page.locator(".ev-plot .heatmaplayer").first)
    page.mouse.move(box["x"] + box["width"] / 5, box["y"] + box["height"] / 64)
    page.wait_for_function("document.querySelector('.ev-plot')?.dataset.lit === '0'")
    assert (
        page.locator(".ev-plot").first.evaluate(
            "plot => plot.layout.shapes.filter(shape => shape.type === 'rect').length"
        )
        == 8 * 3  # what lies between and below the eight rows of position 0, in each of the three panels
    )
    come_back(page, "/batches?sample=Paste+my+own&pasted=cat")
    expect(page.get_by_role("alert").first).to_contain_text("Take a longer text or a smaller max_length")
