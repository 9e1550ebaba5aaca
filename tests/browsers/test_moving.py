"""What moves on a page, its keys, and what is copied from it."""

from pages.tour.steps import STEPS
from tests.browsers.test_roads import field_of, follow, open_page
from tests.browsers.window import Window

PLAY = ".row .play"
SLIDER = "Number(found('.row input')[0].value)"
LAST = "Number(found('.row input')[0].max)"
STRIP = "every('.strips canvas')[0].toDataURL()"
PLACE = "found('.place')[0]?.textContent"


def test_positions_are_played(window: Window):
    open_page(window, "compare")
    without = window.ask(f"() => {STRIP}")
    window.click(PLAY)
    window.until(f"(before) => {SLIDER} > 0 && {STRIP} !== before", without)
    window.until(f"() => {SLIDER} === {LAST}")
    window.click(PLAY)
    window.until(f"(before) => {SLIDER} === 0 && {STRIP} === before", without)


def test_a_training_is_played(window: Window):
    open_page(window, "training")
    sign = f"found('{PLAY} i')[0]?.textContent"
    at_end = f"() => {sign} === '▶' && {SLIDER} === {LAST}"
    window.until(at_end)  # it has played by itself
    window.click(PLAY)
    window.until(f"() => {sign} === '❚❚' && {SLIDER} < {LAST}")
    window.until(at_end)


def test_the_keys_of_the_tour(window: Window):
    open_page(window, "tour")
    last = len(STEPS)
    for key, place in {"PageDown": 2, "End": last, "ArrowLeft": last - 1, "Home": 1, "ArrowRight": 2}.items():
        window.press(key)
        window.until(f"(place) => {PLACE} === place", f"{place} / {last}")
    n = next(n for n, step in enumerate(STEPS, 1) if step.question)
    window.click(f".steps li:nth-child({n}) button")
    window.until("() => found('.answer').length > 1")
    window.click(".answer")
    window.until(f"() => found('.verdict').length && location.search.includes('view={STEPS[n - 1].key}')")
    window.click(".moves .next")
    window.until(f"() => {PLACE} === '{n + 1} / {last}'")


def test_the_link_is_copied(window: Window):
    window.open("/?a=dog+bites+man&b=man+bites+dog&seed=7")
    address = window.ask("() => location.href")
    window.click("button.open")
    window.click(".panel .link")
    window.until("() => found('.panel .link')[0].textContent === 'Done'")
    window.press("Escape")
    window.click(field_of("a"))
    window.press_with_control("a")
    window.press_with_control("v")
    window.until(f"(text) => found('{field_of('a')}')[0].value === text", address)
    window.until("() => location.search.startsWith('?a=http') && isQuiet()")


def test_the_map_is_zoomed(window: Window):
    open_page(window, "vocabulary")
    before = window.ask("() => Number(every('.map')[0].dataset.drawn)")
    window.click("[data-act=in]")
    window.until("(before) => Number(every('.map')[0].dataset.drawn) > before", before)


def test_the_map_is_drawn_without_webgl(window: Window):
    window.open("/lookup")
    window.ask("""() => {
      const get = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind === "webgl2" ? null : get.call(this, kind, ...more)
      }
    }""")
    follow(window, "vocabulary")
    window.until("() => every('.map')[0]?.dataset.by === 'canvas' && Number(every('.map')[0].dataset.points)")


def test_a_fold_is_opened_by_keys_and_gives_the_focus_back(window: Window):
    open_page(window, "compare")
    fold = "found('[data-testid=stPopoverButton]')[0]"
    window.ask(f"() => {fold}.focus()")
    window.press("Enter")
    window.ask(f"() => document.hasFocus() || {fold}.click()")  # Firefox without a screen presses no button by keys
    window.until("() => document.activeElement.closest('[data-testid=stPopoverBody]')")
    window.press("Escape")
    window.until(f"() => document.activeElement === {fold}")
    window.until("() => !document.querySelector('[data-testid=stPopoverBody]')")
