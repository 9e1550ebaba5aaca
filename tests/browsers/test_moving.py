"""What moves on a page, its keys, and what is copied from it."""

from tests.browsers.test_roads import FIELD, open_page
from tests.browsers.window import Window

SLIDER = "Number(found('input[type=range]:not([aria-label])')[0].value)"
STRIP = "every('.strips canvas')[0].toDataURL()"
PLACE = "found('.place')[0]?.textContent"


def test_positions_are_played(window: Window):
    open_page(window, "compare")
    without = window.ask(f"() => {STRIP}")
    window.click("button", "Add the positions")
    window.until(f"(before) => {SLIDER} > 0 && {STRIP} !== before", without)
    window.until(f"() => {SLIDER} === 100")
    window.click("button", "Take the positions away")
    window.until(f"(before) => {SLIDER} === 0 && {STRIP} === before", without)


def test_a_training_is_played(window: Window):
    open_page(window, "training")
    window.until("() => found('output')[0]?.textContent.includes('of 300') && found('button', 'Pause')[0]")
    window.until("() => found('button', 'Play the training')[0]")
    window.until("() => found('output')[0].textContent.startsWith('step 300 of 300')")


def test_the_keys_of_the_tour(window: Window):
    open_page(window, "tour")
    for key, place in {"PageDown": 2, "End": 10, "ArrowLeft": 9, "Home": 1, "ArrowRight": 2}.items():
        window.press(key)
        window.until(f"(place) => {PLACE} === place", f"{place} / 10")
    window.click("button", "4 Same ID")
    window.until("() => found('.answer').length > 1")
    window.click(".answer")
    window.until("() => found('.verdict').length && location.search.includes('view=same')")
    window.click("button", "Next")
    window.until(f"() => {PLACE} === '5 / 10'")


def test_the_link_is_copied(window: Window):
    window.open("/?a=dog+bites+man&b=man+bites+dog&seed=7")
    address = window.ask("() => location.href")
    window.click("button", "Share")
    window.click("button", "Copy link")
    window.until("() => found('button', 'Done')[0]")
    window.press("Escape")
    window.click(FIELD, "Sentence A")
    window.press_with_control("a")
    window.press_with_control("v")
    window.until("(text) => found('input', 'Sentence A')[0].value === text", address)
    window.until("() => location.search.startsWith('?a=http') && isQuiet()")


def test_the_map_is_zoomed(window: Window):
    open_page(window, "vocabulary")
    before = window.ask("() => Number(every('.map')[0].dataset.drawn)")
    window.click("button", "Zoom in")
    window.until("(before) => Number(every('.map')[0].dataset.drawn) > before", before)


def test_the_map_is_drawn_without_webgl(window: Window):
    window.open("/lookup?source=random")
    window.ask("""() => {
      const get = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind === "webgl2" ? null : get.call(this, kind, ...more)
      }
    }""")
    window.click("a", "Vocabulary")  # within the page: what was changed in it stays
    window.until("() => every('.map')[0]?.dataset.by === 'canvas' && every('.map')[0].dataset.points === '50257'")


def test_more_is_opened_by_keys_and_gives_the_focus_back(window: Window):
    open_page(window, "compare")
    more = "found('[data-testid=stPopoverButton]')[0]"
    window.ask(f"() => {more}.focus()")
    window.press("Enter")
    window.ask(f"() => document.hasFocus() || {more}.click()")  # Firefox without a screen presses no button by keys
    window.until("() => document.activeElement.closest('[data-testid=stPopoverBody]')")
    window.press("Escape")
    window.until(f"() => document.activeElement === {more}")
    window.until("() => !document.querySelector('[data-testid=stPopoverBody]')")
