"""What a reader's own browser asks of every page: forced colours, paper, no scripts, large type, spaced text."""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import embedviz as ev
from embedviz.base.pages import PAGES
from tests.browser import access, chromium
from tests.browser.views import arrive, come_back, settle

ADDRESSES = [f"/{page.address}" + f"?view={view}" * bool(view) for page in PAGES for view in page.views or [""]]
FIRST = "Token vectors of A with an identical copy in B: 6 of 6 before positions are added, 0 of 6 after."

# What is chosen, on, current or pressed, wherever it stands, and beside it what is not.
_STATES = """() => {
  const found = [], look = root => root.querySelectorAll('*').forEach(e => (e.shadowRoot && look(e.shadowRoot), found.push(e)))
  look(document)
  const seen = found.filter(e => e.checkVisibility({ visibilityProperty: true }))
  const shown = e => {
    const { backgroundColor, color, borderColor, fontWeight, outlineStyle } = getComputedStyle(e)
    return [backgroundColor, color, borderColor, fontWeight, outlineStyle].join()
  }
  const track = e => e.closest('label').querySelector(':scope > div')
  const pairs = [['[role=radio][aria-checked=true]', '[role=radio][aria-checked=false]', e => e],
    ['.steps [aria-current]', '.steps button:not([aria-current])', e => e],
    ['.ev-pages ol [aria-current]', '.ev-pages ol a:not([aria-current])', e => e],
    ['input[role=switch]:checked', 'input[role=switch]:not(:checked)', track]]
  return pairs.flatMap(([on, off, part]) => {
    const [is, not] = [on, off].map(selector => seen.filter(e => e.matches(selector)).map(part))
    return is.length && not.length && is.some(e => not.some(o => shown(o) === shown(e))) ? [on] : []
  })
}"""
_EDGE = "track => [getComputedStyle(track).borderTopColor, getComputedStyle(track).borderTopStyle]"

# While the page has the width of its paper: what leaves it, and which lines do not end at a token's middle.
_ON_PAPER = """() => matchMedia('print').addEventListener('change', ({ matches }) => {
  if (!matches) return
  const all = [], look = root => root.querySelectorAll('*').forEach(e => (e.shadowRoot && look(e.shadowRoot), all.push(e)))
  look(document)
  const width = document.body.getBoundingClientRect().width
  const off = all.filter(e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 2
    && e.matches('button, p, h1, h2, li, td, th, canvas, .main-svg, svg') && e.getBoundingClientRect().right > width + 2)
  const order = all.find(e => e.matches('.order'))
  const lines = [...order?.querySelectorAll('path') ?? []].map(line => line.getBoundingClientRect())
  const middles = [...order?.querySelectorAll('li') ?? []].map(e => e.getBoundingClientRect()).map(b => (b.left + b.right) / 2)
  const astray = lines.flatMap(({ left, right }) => [left, right]).filter(x => middles.every(middle => Math.abs(middle - x) > 2))
  window.paper = { off: off.map(e => e.textContent.slice(0, 40) || e.className.baseVal || e.className), astray, lines: lines.length,
    menu: document.querySelector('.ev-pages').checkVisibility() }
})"""

# As WCAG 1.4.12 has it, in the page and in its components.
_SPACED = """() => {
  const sheet = () => {
    const made = new CSSStyleSheet()
    made.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }`)
    return made
  }
  const add = root => {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet()]
    root.querySelectorAll('*').forEach(e => e.shadowRoot && add(e.shadowRoot))
  }
  add(document)
}"""
# Words that are cut off where nothing scrolls.
_LOST = """() => {
  const found = []
  const look = root => root.querySelectorAll('*').forEach(e => {
    if (e.shadowRoot) look(e.shadowRoot)
    if (e.closest('svg, .ev-plot, style, script, option') || !e.textContent.trim()) return
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.clientWidth < 2 || e.clientHeight < 2) return
    const { overflowX, overflowY } = getComputedStyle(e)
    const hides = overflow => ['hidden', 'clip'].includes(overflow)
    if (hides(overflowX) && e.scrollWidth > e.clientWidth + 1 || hides(overflowY) && e.scrollHeight > e.clientHeight + 2)
      found.push(e.textContent.trim().slice(0, 40))
  })
  look(document)
  return found
}"""


def through_all(page: Page) -> Iterator[str]:
    """Every view of every page, in one page that stays open."""
    for address in ADDRESSES:
        come_back(page, address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)
        yield address


def test_with_forced_colours_what_is_chosen_looks_different_and_a_switch_has_an_edge(visit):
    page = visit("/")
    wrong = []
    for address in through_all(page):
        page.emulate_media(forced_colors="active")
        wrong += [(address, state) for state in page.evaluate(_STATES)]
        for switch in page.locator("[data-testid=stCheckbox] label > div:first-of-type").all():
            wrong += [(address, "switch")] * (switch.evaluate(_EDGE)[1] != "solid")
        page.emulate_media(forced_colors="none")
    assert wrong == []


def test_on_paper_all_is_on_the_sheet_without_a_menu_and_lines_end_at_their_tokens(visit):
    page = visit("/", new=True)
    page.evaluate(_ON_PAPER)
    size = page.evaluate("document.querySelector('.order, .stBidiComponent').offsetWidth")
    for address in through_all(page):
        for paper in ({"format": "A4"}, {"format": "Letter", "landscape": True}):
            page.pdf(**paper)
            seen = page.evaluate("window.paper")
            assert seen["off"] == seen["astray"] == [], (address, paper)
            assert seen["lines"] == 6 * address.startswith(("/?", "/compare")), address
            assert not seen["menu"]
    come_back(page, "/")
    settle(page)  # figures fill their places on the screen again
    assert page.evaluate("document.querySelector('.order, .stBidiComponent').offsetWidth") == size
