"""Every page under the site's own content security policy, which forbids all that it does not need."""

import pytest
from playwright.sync_api import Browser, expect

PAGES = {
    "/": ".ev-plot[data-drawn]",
    "/?axes=3-D": ".ev-plot[data-drawn] canvas",
    "/lookup": ".ev-plot[data-drawn]",
    "/tokenizers": ".st-key-findings h2",
    "/batches?part=Shapes": ".ev-plot[data-drawn]",
    "/positions": ".ev-plot[data-drawn]",
    "/relative": ".ev-plot[data-drawn]",
    "/attention": ".ev-plot[data-drawn]",
    "/training": ".ev-plot[data-drawn]",
    "/vocabulary": "canvas",
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_and_what_is_shared_of_it_break_no_rule(browser: Browser, address: str, path: str):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    broken = []
    page.on("console", lambda message: message.type == "error" and broken.append(message.text))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(address + path)
    expect(page.locator(PAGES[path]).first).to_be_visible(timeout=30_000)
    page.wait_for_load_state("networkidle")  # what the button does is loaded apart
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save page as HTML").click()
    assert download.value.path().stat().st_size > 10_000
    page.close()
    assert broken == []
