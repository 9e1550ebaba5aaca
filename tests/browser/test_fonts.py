"""Pages load the small fonts alone, and every icon is drawn."""

import pytest
from playwright.sync_api import expect

# The icons on the page, and how many times as wide as high each is. Of one that the font lacks the name stands there.
ICONS = """() => [...document.querySelectorAll("[data-testid=stIconMaterial], [data-testid=stExpanderIcon]")]
  .filter((icon) => getComputedStyle(icon).fontFamily.includes("Material"))
  .map((icon) => {
    const range = document.createRange()
    range.selectNodeContents(icon)
    return [icon.textContent, range.getBoundingClientRect().width / parseFloat(getComputedStyle(icon).fontSize)]
  })"""


def test_a_first_visit_loads_no_font_of_streamlits(visit):
    page = visit("/", new=True)
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)")
    fonts = {name.rpartition("/")[2] for name in loaded if name.endswith(".woff2")}
    assert fonts == {"icons.woff2", "sans.woff2"}
    page.get_by_label("Sentence A", exact=True).fill("η γάτα")  # which need the whole font
    page.keyboard.press("Enter")
    with page.expect_response("**/SourceSansVF-Upright*"):
        pass


@pytest.mark.parametrize("path", ["/", "/next_word", "/lessons", "/vocabulary"])
def test_every_icon_is_drawn(visit, path):
    page = visit(path, drawn=False)
    expect(page.locator(".st-key-frame_onward [data-testid=stIconMaterial]")).to_be_attached()
    page.evaluate("() => document.fonts.ready")
    icons = page.evaluate(ICONS)
    assert len(icons) >= 3
    assert [(name, wide) for name, wide in icons if wide > 1.1] == []
