"""Projection mode: one idea on the screen at a time, in type that the last row reads."""

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser import access
from tests.browser.views import COMING, SETTLED

# Of screens, and of the type on them, in pixels: nothing is smaller than 0.8 of it. On 1920 × 1080 all is 1.5 times as
# large as on 1280 × 720, type and margins too, so what is whole on the one is whole on the other.
SIZES = {(1280, 720): 36.8, (1024, 768): 36.8}
LARGE = (1920, 1080)
SMALLEST = 0.8
# The whole way has seven columns side by side: their names are as small as a 55th of the screen's height, and what a
# hall reads is the headline, the words and the answers.
SMALLEST_IN_ALL = 0.35
_TYPE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
# Every text that can be seen, also in shadow trees and in figures: its size on the screen, and whether it leaves the
# window, unless it is in what scrolls and hides it. Names on the map are drawn on a canvas, which says their size.
_TEXTS = """() => {
  const found = []
  const isHidden = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    for (let box = element.parentElement; box; box = box.parentElement ?? box.getRootNode().host) {
      if (!["auto", "scroll"].includes(getComputedStyle(box).overflowY)) continue
      const edge = box.getBoundingClientRect()
      if (top >= edge.bottom - 2 || bottom <= edge.top + 2 || left >= edge.right || right <= edge.left) return true
    }
    return false
  }
  const visit = (element) => {
    [...(element.shadowRoot?.children ?? []), ...element.children].forEach(visit)
    if (["STYLE", "SCRIPT", "TITLE"].includes(element.tagName)) return
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
    if (!own || width < 3 || height < 3 || !element.checkVisibility({ visibilityProperty: true })) return
    if (isHidden(element)) return
    const matrix = element.ownerSVGElement && element.getScreenCTM()
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1
    const isCut = left < -2 || top < -2 || right > innerWidth + 2 || bottom > innerHeight + 2
    const least = element.getRootNode().querySelector?.(".way > .picture") ? IN_ALL : USUALLY
    const size = parseFloat(getComputedStyle(element).fontSize) * scale / least
    found.push([size, isCut, element.textContent.trim().slice(0, 40)])
  }
  visit(document.body)
  document.querySelectorAll("[data-testid=stBidiComponentIsolated]").forEach(({ shadowRoot }) => {
    const canvas = shadowRoot?.querySelector(".map canvas:last-of-type")
    const font = canvas?.checkVisibility() && canvas.getContext("2d")?.font
    if (font) found.push([parseFloat(/([\\d.]+)px/.exec(font)[1]) / USUALLY, false, "the map"])
  })
  return found
}""".replace("IN_ALL", str(SMALLEST_IN_ALL)).replace("USUALLY", str(SMALLEST))
_OVER = """() => [document.scrollingElement, document.querySelector("[data-testid=stMain]")].flatMap(
  (part) => [part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight])"""
# Controls that can be seen, apart from those in the corner, those of a figure itself, and those that the page has put
# on every slide, since they move its pictures.
CONTROLS = """() => [...document.querySelectorAll("input, textarea, summary, [role=radio], [role=combobox]")]
  .filter((control) => control.offsetParent !== null && !control.closest("[class*=st-key-frame_always_]"))
  .map((control) => control.outerHTML.slice(0, 80))"""
_FAULTS = f"""() => {{
  const texts = ({_TEXTS})(), least = {_TYPE} - 0.05
  const leaves = (figure) => {{
    const {{ left, right, top, bottom }} = figure.getBoundingClientRect()
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
  }}
  return {{
    ...({access.LAYOUT})(),
    "is small": texts.filter(([size]) => size < least).map(([,, text]) => text),
    "leaves the window": texts.filter(([, isCut]) => isCut).map(([,, text]) => text),
    "is a figure that leaves the window": [...document.querySelectorAll(".ev-plot")]
      .filter((figure) => figure.checkVisibility() && leaves(figure)).map((figure) => figure.ariaLabel),
    "is a control": ({CONTROLS})(),
    "scrolls": ({_OVER})().filter((over) => over > 0),
  }}
}}"""
_FITS = f"() => Object.values(({_FAULTS})()).every((found) => !found.length)"
# Goes on to each other slide once the one before is without fault; their places. Some keys only move a picture, or
# answer a question, after which there may be more slides. Within the page, this takes a fraction of the time.
_OTHER_SLIDES = f"""async () => {{
  const places = [], settled = {SETTLED}, fits = {_FITS}
  const place = () => document.querySelector(".ev-slides output").textContent
  const [at, total] = [0, 1].map((n) => () => place().split(" / ")[n])
  while (at() !== total()) {{
    const before = at()
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {{ key: "PageDown", bubbles: true }}))
    while (!settled() || !fits()) await new Promise(requestAnimationFrame)
    if (at() !== before) places.push(place())
  }}
  return places
}}"""


def enter(page: Page) -> None:
    """Go into the mode as a presenter does."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()


def place(page: Page) -> tuple[int, int]:
    """Which slide is on, from 1, and how many there are once the scripts of all parts are there."""
    expect(page.locator(COMING)).to_have_count(0)
    at, total = page.get_by_role("navigation", name="Slides").get_by_role("status").inner_text().split(" / ")
    return int(at), int(total)


def check(page: Page, *, on_the_large_one: bool = False) -> None:
    """The first slide is whole on every screen, and on the narrowest all of the view's slides are."""
    sizes = {LARGE: 55.2} if on_the_large_one else {}
    try:
        for size, type_size in (sizes | SIZES).items():
            access.resize(page, size)
            assert page.evaluate(_TYPE) == pytest.approx(type_size, abs=0.01)
            page.wait_for_function(_FITS)
        assert place(page)[0] == 1
        places = page.wait_for_function(_OTHER_SLIDES).json_value()
        _last, total = place(page)
        assert places == [f"{n} / {total}" for n in range(2, total + 1)], places
    except TimeoutError as error:
        raise AssertionError(place(page), faults(page)) from error


def check_one(page: Page) -> None:
    """The slide that is on is whole, on every screen. A lesson has no other one there."""
    try:
        for size in SIZES:
            access.resize(page, size)
            page.wait_for_function(_FITS)
    except TimeoutError as error:
        raise AssertionError(faults(page)) from error


def faults(page: Page) -> dict[str, list]:
    """What of a slide does not fit: texts that are small or leave the window, controls, and what would scroll."""
    return access.wrong(page.evaluate(_FAULTS))
