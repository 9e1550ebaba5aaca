"""A walk through a page by the Tab key: where it stops, what the stops are called, and whether one sees them."""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image
from playwright.sync_api import ElementHandle, Page

MOST = 150  # stops: more would be a trap
_ROOM = 6  # pixels around a stop in which its mark may lie
_THUMB = 90  # pixels of a ring around the thumb of a slider, which is what shows its focus
_ACTIVE = """() => { let e = document.activeElement
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return e }"""
# Of a field that is hidden behind what one sees of it, the box of the latter.
_BOX = """e => { const big = ({ width, height }) => width > 5 && height > 5
  let box = e.getBoundingClientRect(); while (!big(box)) box = (e = e.parentElement).getBoundingClientRect()
  return [box.x, box.y, box.width, box.height] }"""
# Tab goes on from where the focus was last.
_BEGIN = """() => {
  window.walked = new WeakSet()
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}"""
# What has the focus, the first time that it has it. Its kind is what styles can tell apart: it, and what it stands in.
_HERE = f"""() => {{
  const e = ({_ACTIVE})()
  if (!e || e === document.body || window.walked.has(e)) return null
  window.walked.add(e)
  const kind = [getComputedStyle(document.documentElement).colorScheme]
  for (let box = e; box && kind.length < 5; box = box.parentElement ?? box.getRootNode().host)
    kind.push([box.tagName, box.type, box.role, box.className, box.ariaPressed, box.ariaChecked].join(' '))
  const name = e.getAttribute('aria-label') || [...(e.labels ?? [])].map(label => label.textContent).join(' ')
    || e.innerText || e.getAttribute('title') || ''
  return {{ name: name.trim(), html: e.outerHTML.slice(0, 200), kind: kind.join(' < ') }}
}}"""
# What could be used but was not reached. A list, a table, a field with its own buttons is one stop: keys move inside.
_MISSED = """() => {
  const found = [], groups = 'ol, table, [role=group], [role=radiogroup], [role=toolbar], [data-testid=stNumberInput]'
  const holds = group => group && [group, ...group.querySelectorAll('*')].some(other => window.walked.has(other))
  const look = root => root.querySelectorAll('*').forEach(e => {
    if (e.shadowRoot) look(e.shadowRoot)
    if (!e.matches('a[href], button, input, select, textarea, summary, [tabindex]')) return
    if (e.disabled || window.walked.has(e)) return
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

    mark: how many pixels the focus changes by a contrast of 3 or more; edge: how many it should, the perimeter; both
    are 0 where a stop of the same kind has been looked at before.
    """

    name: str
    html: str
    mark: int
    edge: float


def walk(page: Page, known: set[str]) -> list[Stop]:
    """Press Tab from the top of the page until it begins again; fails if it never does.

    known: kinds of stops whose marks have been looked at; those that this walk looks at are added.
    """
    page.evaluate(_BEGIN)
    stops: list[Stop] = []
    look = None  # at the stop before, once it has no focus any more
    for _ in range(MOST):
        page.keyboard.press("Tab")
        here = page.evaluate(_HERE)
        if look:
            stops.append(look())
        if here is None:
            return stops
        is_known = here["kind"] in known
        known.add(here["kind"])
        plain = Stop(here["name"], here["html"], 0, 0)
        look = (lambda plain=plain: plain) if is_known else _marked(page, plain)
    raise AssertionError(f"Tab does not come round: {stops[-5:]}")


def missed(page: Page) -> list[str]:
    """What a walk over this page did not reach."""
    return page.evaluate(_MISSED)


def _marked(page: Page, stop: Stop) -> Callable[[], Stop]:
    """What the stop looks like with the focus; asked again without it, gives the stop with its mark."""
    element = page.evaluate_handle(_ACTIVE).as_element()
    box, focused = element.evaluate(_BOX), _seen(page, element)

    def look() -> Stop:
        without = _seen(page, element)
        edge = _THUMB if 'type="range"' in stop.html else 2 * sum(box[2:])
        if focused.shape != without.shape:  # it comes and goes with the focus, as the link past the page names
            return replace(stop, mark=focused.size // 3, edge=edge)
        changed = (focused != without).any(axis=-1)
        a, b = _luminance(focused[changed]), _luminance(without[changed])
        contrast = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
        return replace(stop, mark=int((contrast >= 3).sum()), edge=edge)

    return look


def _seen(page: Page, element: ElementHandle) -> np.ndarray:
    """What is at and around the element, (rows, columns, 3) uint8, once the last change is painted."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    x, y, width, height = element.evaluate(_BOX)
    left, top = max(0, x - _ROOM), max(0, y - _ROOM)
    clip = {"x": left, "y": top, "width": width + 2 * _ROOM, "height": height + 2 * _ROOM}
    return np.asarray(Image.open(io.BytesIO(page.screenshot(clip=clip, animations="allow"))).convert("RGB"))


def _luminance(pixels: np.ndarray) -> np.ndarray:
    """Relative luminance (WCAG) of pixels (N, 3), (N,)."""
    shares = pixels / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])
