"""What a reader's own browser asks of every page: forced colours, paper, no scripts, large type, spaced text."""

from collections.abc import Iterator

from playwright.sync_api import Page, expect

import embedviz as ev
from embedviz.base.pages import PAGES
from tests.browser import access, chromium, projection
from tests.browser.views import come_back, settle

ADDRESSES = [f"/{page.address}" + f"?view={view}" * bool(view) for page in PAGES for view in page.views or [""]]
PAPERS = {"format": "A4"}, {"format": "Letter", "landscape": True}
WIDE_ON_PAPER = "/?view=map", "/models"
FIRST = "Token vectors of A with an identical copy in B: 6 of 6 before positions are added, 4 of 6 after."

# What is chosen, on, current or pressed, wherever it stands, and beside it what is not.
_STATES = """() => {
  const found = []
  const look = root => root.querySelectorAll('*').forEach(e => (e.shadowRoot && look(e.shadowRoot), found.push(e)))
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
# Fields in which a phone would write a capital or another word.
_NOT_AS_TYPED = """() => [...document.querySelectorAll('input, textarea')].filter(field =>
  field.spellcheck || ['autocapitalize', 'autocorrect'].some(name => field.getAttribute(name) !== 'off')
).map(field => field.ariaLabel)"""
_SIZES = """() => [...document.querySelectorAll('input:not([type=range], [type=checkbox], [type=file]), textarea')]
  .map(field => parseFloat(getComputedStyle(field).fontSize))"""
STEPS = "ArrowRight", "ArrowLeft", "PageDown", "PageUp"
# The keys that the page takes for itself.
_TAKEN = """keys => keys.filter(key => !document.body.dispatchEvent(
  new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...key })))"""
_EDGE = "track => getComputedStyle(track).borderTopStyle"

# While the page has the width of its paper: what leaves it, and which lines do not end at a token's middle.
_ON_PAPER = """() => matchMedia('print').addEventListener('change', ({ matches }) => {
  if (!matches) return
  const all = []
  const look = root => root.querySelectorAll('*').forEach(e => (e.shadowRoot && look(e.shadowRoot), all.push(e)))
  look(document)
  const boxOf = e => e.getBoundingClientRect()
  const off = all.filter(e => e.matches('button, p, h1, h2, li, td, th, canvas, svg') && boxOf(e).width > 2
    && e.checkVisibility({ visibilityProperty: true }) && boxOf(e).right > boxOf(document.body).width + 2)
  const inOrder = selector => all.filter(e => e.matches(`.order ${selector}`)).map(boxOf)
  const lines = inOrder('path')
  const middles = inOrder('li').map(({ left, right }) => (left + right) / 2)
  const isAstray = x => middles.every(middle => Math.abs(middle - x) > 2)
  window.paper = {
    off: off.map(e => e.textContent.slice(0, 40) || e.className.baseVal || e.className), lines: lines.length,
    astray: lines.flatMap(({ left, right }) => [left, right]).filter(isAstray),
    menu: document.querySelector('.ev-pages').checkVisibility(),
  }
})"""

# As WCAG 1.4.12 has it, in the page and in its components.
_SPACED = """() => {
  const sheet = () => {
    const made = new CSSStyleSheet()
    made.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`)
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
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return
    if (e.clientWidth < 2 || e.clientHeight < 2) return // words for screen readers
    const { overflowX, overflowY } = getComputedStyle(e)
    const hides = overflow => ['hidden', 'clip'].includes(overflow)
    if (hides(overflowX) && e.scrollWidth > e.clientWidth + 1
      || hides(overflowY) && e.scrollHeight > e.clientHeight + 2) found.push(e.textContent.trim().slice(0, 40))
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


def test_with_forced_colours_each_state_is_seen_and_all_fields_take_what_is_typed_as_it_is(visit):
    page = visit("/")
    wrong = []
    for address in through_all(page):
        page.emulate_media(forced_colors="active")
        wrong += [(address, state) for state in page.evaluate(_STATES)]
        for switch in page.locator("[data-testid=stCheckbox] label > div:first-of-type").all():
            wrong += [(address, "switch")] * (switch.evaluate(_EDGE) != "solid")
        page.emulate_media(forced_colors="none")
        wrong += [(address, field) for field in page.evaluate(_NOT_AS_TYPED)]
    assert wrong == []


def test_on_paper_all_is_on_the_sheet_without_a_menu_and_lines_end_at_their_tokens(visit):
    page = visit("/", new=True)
    page.evaluate(_ON_PAPER)
    n_lines = set()
    for address in through_all(page):
        for paper in PAPERS[: 1 + (address in WIDE_ON_PAPER)]:
            page.pdf(**paper)
            seen = page.evaluate("window.paper")
            assert seen["off"] == seen["astray"] == [], (address, paper)
            assert not seen["menu"]
            n_lines.add(seen["lines"])
        settle(page)  # figures fill their places on the screen again
    assert max(n_lines) > 1


def test_type_is_as_large_as_the_browser_says_and_no_word_is_lost_by_it_or_by_spaced_text(browser, address):
    arguments = [*chromium.ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    large = browser.browser_type.launch(executable_path=chromium.installed(), args=arguments)
    page = chromium.window(large, bypass_csp=True, viewport={"width": 1280, "height": 720}).new_page()
    page.goto(address)
    for view in through_all(page):
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32, view
        loses_no_words(page, view)
        page.evaluate(_SPACED)
        settle(page)
        loses_no_words(page, view)
        page.evaluate("document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)")
    large.close()


def loses_no_words(page: Page, view: str) -> None:
    assert page.evaluate(_LOST) == [], view
    access.check_layout(page)


def test_without_scripts_a_page_a_file_and_a_cell_say_how_many_copies_are_identical(browser, address, tmp_path):
    hostile = "man bites <b>dog</b>"
    cell = ev.show("dog bites man", hostile)
    counted = "2 of 3 token vectors of A are in B too, bit for bit"
    assert repr(cell).startswith(counted)
    (tmp_path / "page.html").write_text(cell.html, "utf-8")
    policy = "<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">"
    (tmp_path / "cell.html").write_text(f"<!doctype html>{policy}<body>{cell._repr_html_()}", "utf-8")
    without = browser.new_context(java_script_enabled=False).new_page()
    for page in ("", "vocabulary"):
        without.goto(f"{address}/{page}")
        expect(without.get_by_text(FIRST)).to_be_visible()
        expect(without.get_by_text("needs JavaScript")).to_have_count(1)
    without.goto((tmp_path / "page.html").as_uri())
    expect(without.get_by_text(counted)).to_be_visible()
    without.context.close()
    forbidden = browser.new_page()
    forbidden.goto((tmp_path / "cell.html").as_uri())
    expect(forbidden.frame_locator("iframe").get_by_text(counted)).to_be_visible()
    forbidden.close()


def test_where_scripts_run_nobody_is_told_that_they_are_needed(visit):
    expect(visit("/").get_by_text("needs JavaScript")).to_have_count(0)


def test_keys_of_the_browser_and_keys_that_are_held_down_turn_no_slide(visit):
    page = visit("/positions?view=table&present=1&slide=1", drawn=False)
    settle(page)
    before = projection.place(page)
    keys, held = STEPS, ("altKey", "ctrlKey", "metaKey", "shiftKey", "repeat")
    assert page.evaluate(_TAKEN, [{"key": key, how: True} for key in keys for how in held]) == []
    settle(page)
    assert projection.place(page) == before
    assert page.evaluate(_TAKEN, [{"key": "ArrowRight"}]) != []


def test_arrow_keys_with_others_move_no_arrow(visit):
    page = visit("/positions?view=adding&held_numbers=2", drawn=False)
    tip = page.get_by_role("slider").first
    tip.focus()
    at = tip.get_attribute("aria-valuetext")
    for keys in ("Alt+ArrowUp", "Control+ArrowUp", "Meta+ArrowUp"):
        page.keyboard.press(keys)
        assert tip.get_attribute("aria-valuetext") == at
    page.keyboard.press("ArrowUp")
    assert tip.get_attribute("aria-valuetext") != at


def test_on_a_phone_no_field_makes_the_browser_zoom(visit):
    page = visit("/", width=360, height=740)
    for address in ("/", "/?view=pairs", "/tokenizers", "/next_word?sentences=own", "/vocabulary?tokenizer=words"):
        come_back(page, address)
        settle(page)
        assert min(page.evaluate(_SIZES)) >= 16, address
