"""Pages load the small fonts alone, and every icon is drawn."""

from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser import chromium
from tests.browser.access import PHONE, WIDE, look

# The icons on the page, and how many times as wide as high each is. Of one that the font lacks the name stands there.
ICONS = """() => [...document.querySelectorAll("[data-testid=stIconMaterial], [data-testid=stExpanderIcon]")]
  .filter((icon) => getComputedStyle(icon).fontFamily.includes("Material"))
  .map((icon) => {
    const range = document.createRange()
    range.selectNodeContents(icon)
    return [icon.textContent, range.getBoundingClientRect().width / parseFloat(getComputedStyle(icon).fontSize)]
  })"""


# Whole fonts that the page has asked for: ours are for some characters.
WHOLE = """() => [...document.fonts]
  .filter(({ status, unicodeRange }) => status !== "unloaded" && unicodeRange === "U+0-10FFFF")
  .map(({ family }) => family)"""


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_first_visit_loads_no_whole_font_until_a_text_needs_it(browser, address, size):
    with closing(chromium.window(browser, bypass_csp=True)) as window:
        page = window.new_page()
        look(page, size)
        page.goto(address)
        expect(page.locator(".st-key-frame_onward [data-testid=stIconMaterial]")).to_be_attached()
        assert page.evaluate("() => document.fonts.ready.then(() => document.fonts.size)") > 2
        assert page.evaluate(WHOLE) == []
        field = page.get_by_label("Sentence A", exact=True)
        field.fill("η γάτα")
        field.press("Enter")
        page.wait_for_function(f"() => ({WHOLE})().length === 1")


@pytest.mark.parametrize("path", ["/", "/next_word", "/lessons", "/vocabulary"])
def test_every_icon_is_drawn(visit, path):
    page = visit(path, drawn=False)
    expect(page.locator(".st-key-frame_onward [data-testid=stIconMaterial]")).to_be_attached()
    page.evaluate("() => document.fonts.ready")
    icons = page.evaluate(ICONS)
    assert len(icons) >= 3
    assert [(name, wide) for name, wide in icons if wide > 1.1] == []
