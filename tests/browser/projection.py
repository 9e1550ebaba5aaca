"""Projection mode: one screen, in type that the last row reads."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import access

SIZES = {(1920, 1080): 36, (1024, 768): 24, (1280, 720): 24}  # of screens, and of the type on them, in pixels
_TYPE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
# Every element with a text of its own that can be seen, and its font size; also in shadow trees.
_SMALL = """() => {
  const found = []
  const visit = (element) => {
    const parts = [...(element.shadowRoot?.children ?? []), ...element.children]
    parts.forEach(visit)
    if (["STYLE", "SCRIPT", "TITLE"].includes(element.tagName)) return
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
    const box = element.getBoundingClientRect()
    if (!own || !box.width || !box.height || getComputedStyle(element).visibility === "hidden") return
    const size = parseFloat(getComputedStyle(element).fontSize)
    if (size < 17.99) found.push(`${size} px: ${element.textContent.slice(0, 40)}`)
  }
  visit(document.body)
  return found
}"""
_OVER = """() => [document.scrollingElement, document.querySelector("[data-testid=stMain]")].flatMap(
  (part) => [part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight])"""
# Controls that can be seen, apart from those in the corner and the ones that a figure has itself.
CONTROLS = """() => [...document.querySelectorAll("input, textarea, summary, [role=radio], [role=combobox]")]
  .filter((control) => control.offsetParent !== null).map((control) => control.outerHTML.slice(0, 80))"""


def enter(page: Page) -> None:
    """Go into the mode as a presenter does."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Project", exact=True).click()
    expect(page.get_by_role("button", name="Leave projection")).to_be_visible()


def check(page: Page) -> None:
    """Everything is on the screen, whatever its size: large, without scrolling, without controls."""
    for size, type_size in SIZES.items():
        access.resize(page, size)
        page.wait_for_function(f"({_OVER})().every((over) => over <= 0)")
        assert page.evaluate(_TYPE) == pytest.approx(type_size, abs=0.01)
        assert page.evaluate(_SMALL) == []
        assert page.evaluate(CONTROLS) == []
        access.check_layout(page)
        for figure in page.locator(".ev-plot").all():
            expect(figure).to_be_in_viewport(ratio=1)
    access.check_axe(page, but="color-contrast")  # the colours are those of the usual mode, in smaller type
