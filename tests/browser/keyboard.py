"""A walk through a page by the Tab key: where it stops, what the stops are called, and whether one sees them."""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image
from playwright.sync_api import ElementHandle, Page

MOST = 150  # stops: more would be a trap
_ROOM = 6  # pixels around a stop in which its mark may lie
_THUMB = 90  # pixels of a ring around the thumb of a slider, which is what shows its focus
_ACTIVE = """() => { let e = document.activeElement
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return e }"""
_NAME = """e => (e.getAttribute('aria-label') || [...(e.labels ?? [])].map(label => label.textContent).join(' ')
  || e.innerText || e.getAttribute('title') || '').trim()"""
# Of a field that is hidden behind what one sees of it, the box of the latter.
_BOX = """e => { const big = ({ width, height }) => width > 5 && height > 5
  let box = e.getBoundingClientRect(); while (!big(box)) box = (e = e.parentElement).getBoundingClientRect()
  return [box.x, box.y, box.width, box.height] }"""
_MARK = "e => { const before = e.walked === true; e.walked = true; return before }"
# What could be used but was not reached. A list, a table, a field with its own buttons is one stop: keys move inside.
_MISSED = """() => {
  const found = [], groups = 'ol, table, [role=group], [role=radiogroup], [role=toolbar], [data-testid=stNumberInput]'
  const holds = group => group && [group, ...group.querySelectorAll('*')].some(other => other.walked)
  const look = root => root.querySelectorAll('*').forEach(e => {
    if (e.shadowRoot) look(e.shadowRoot)
    if (!e.matches('a[href], button, input, select, textarea, summary, [tabindex]') || e.walked || e.disabled) return
    const { width, height } = e.getBoundingClientRect()
    if (!width || !height || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return
    if (!holds(e.closest(groups))) found.push(e.outerHTML.slice(0, 200))
  })
  look(document)
  return found
}"""


@dataclass(frozen=True)
class Stop:
    """A place where Tab stops.

    mark: how many pixels the focus changes by a contrast of 3 or more; edge: how many it should, the perimeter.
    """

    name: str
    html: str
    mark: int
    edge: float


def walk(page: Page) -> list[Stop]:
    """Press Tab from the top of the page until it begins again; fails if it never does."""
    stops: list[Stop] = []
    before = None
    for _ in range(MOST):
        page.keyboard.press("Tab")
        page.wait_for_timeout(40)
        here = page.evaluate_handle(_ACTIVE).as_element()
        if before:
            stops.append(_stop(page, *before))
        if here is None or here.evaluate("e => e === document.body") or here.evaluate(_MARK):
            return stops
        before = (here, here.evaluate(_BOX), _seen(page, here))
    raise AssertionError(f"Tab does not come round: {stops[-5:]}")


def missed(page: Page) -> list[str]:
    """What a walk over this page did not reach."""
    return page.evaluate(_MISSED)


def _seen(page: Page, element: ElementHandle) -> np.ndarray:
    """Relative luminance of what is at and around the element, (rows, columns)."""
    x, y, width, height = element.evaluate(_BOX)
    left, top = max(0, x - _ROOM), max(0, y - _ROOM)
    clip = {"x": left, "y": top, "width": width + 2 * _ROOM, "height": height + 2 * _ROOM}
    shot = np.asarray(Image.open(io.BytesIO(page.screenshot(clip=clip, animations="allow"))).convert("RGB")) / 255
    linear = np.where(shot <= 0.04045, shot / 12.92, ((shot + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _stop(page: Page, element: ElementHandle, box: list[float], focused: np.ndarray) -> Stop:
    """What the element looked like with the focus against what it looks like without."""
    without = _seen(page, element)
    name, html = element.evaluate(_NAME), element.evaluate("e => e.outerHTML.slice(0, 200)")
    edge = _THUMB if 'type="range"' in html else 2 * sum(box[2:])
    if focused.shape != without.shape:  # it comes and goes with the focus, as the link past the page names
        return Stop(name, html, focused.size, edge)
    contrast = (np.maximum(focused, without) + 0.05) / (np.minimum(focused, without) + 0.05)
    return Stop(name, html, int((contrast >= 3).sum()), edge)
