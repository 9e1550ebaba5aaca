"""What a person does at a browser's window, by real pointers and keys, and what they then see.

All waits end when the thing has come; only what never comes reaches their bound.
"""

import json
import time
from collections.abc import Callable
from typing import Protocol

WAIT = 60  # seconds
_WHERE = "() => [location.href, found('h1')[0]?.textContent, isQuiet()]"
KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "PageDown": "\ue00f",
}  # fmt: skip
_CONTROL = "\ue009"
# Components keep what they draw in shadow roots, so the page is walked through. `found`: what fits a selector,
# can be seen, and has this name at its end (its label, or what it says; an icon's name stands before it).
_HELPERS = """
  const walk = function* (root = document) {
    for (const part of root.querySelectorAll("*")) { yield part; if (part.shadowRoot) yield* walk(part.shadowRoot) }
  }
  const every = (selector) => [...walk()].filter((part) => part.matches(selector))
  const named = (part) => part.getAttribute("aria-label") ?? part.labels?.[0]?.textContent ?? part.textContent
  const found = (selector, name = "") => every(selector).filter((part) =>
    part.getClientRects().length && named(part).trim().endsWith(name))
  const plots = () => every(".ev-plot")
  const isQuiet = () => !every("[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]").length
    && plots().every((plot) => plot.dataset.drawn)
"""
_PLACE = """(selector, name, x, y) => {
  const part = found(selector, name)[0]
  part?.scrollIntoView({ block: "center", behavior: "instant" }) // not below the menu, which stays at the top
  const box = part?.getBoundingClientRect()
  return box?.width ? [Math.round(box.x + x * box.width), Math.round(box.y + y * box.height)] : null
}"""


class Browser(Protocol):
    """What Firefox and WebKit have in common."""

    complaints: list[str]
    requests: list[str]

    def goto(self, address: str) -> None: ...
    def travel(self, steps: int) -> None: ...
    def call(self, function: str, text: str) -> str: ...
    def perform(self, actions: list[dict]) -> None: ...


class Window:
    """A browser's window on the site at an address."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self._address = address

    def open(self, path: str) -> None:
        """Open a page and wait until it stands still."""
        self.browser.goto(self._address + path)
        self.until("() => found('h1')[0] && isQuiet()")

    def ask(self, function: str, *values: object) -> object:
        """What a function gives in the page, an element as true; it may use `found`, `every`, `plots` and `isQuiet`."""
        body = f"{_HELPERS} const it = ({function})(...JSON.parse(text))"
        answer = "return JSON.stringify(it?.nodeType ? true : it ?? null)"
        return json.loads(self.browser.call(f"(text) => {{ {body}; {answer} }}", json.dumps(values)))

    def until(self, function: str, *values: object) -> object:
        """Wait until the function gives something in the page, and give it on."""
        return self.wait(lambda: self.ask(function, *values), f"{function} {values}")

    def wait(self, look: Callable[[], object], what: str = "") -> object:
        """Look until there is something."""
        end = time.monotonic() + WAIT
        while not (result := look()):
            assert time.monotonic() < end, f"It never came: {what}, on {self.ask(_WHERE)}"
            time.sleep(0.05)
        return result

    def place(self, selector: str, name: str = "", x: float = 0.5, y: float = 0.5) -> list[int]:
        """Where something is, scrolled to and standing still; x, y: the share of its width and height."""
        before = None
        while (now := self.until(_PLACE, selector, name, x, y)) != before:
            before = now
            time.sleep(0.1)
        return now

    def hover(self, selector: str, name: str = "", x: float = 0.5, y: float = 0.5) -> None:
        """Move the pointer there."""
        self._point(self.place(selector, name, x, y))

    def click(self, selector: str, name: str = "", x: float = 0.5, y: float = 0.5) -> None:
        """Press the pointer's button there."""
        self._point(
            self.place(selector, name, x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        )

    def _point(self, to: list[int], *then: dict) -> None:
        move = {"type": "pointerMove", "x": to[0], "y": to[1]}
        near = move | {"x": to[0] - 1}  # a pointer comes from somewhere
        self.browser.perform([{"type": "pointer", "id": "mouse", "actions": [near, move, *then]}])

    def fill(self, selector: str, text: str) -> None:
        """Put a text in the place of all that stands in a field, letter by letter."""
        self.click(selector)
        self.press_with_control("a")
        self.press(*text)

    def press(self, *keys: str) -> None:
        """Press keys, by their names or as letters."""
        self._type([step for key in keys for step in _stroke(KEYS.get(key, key))])

    def press_with_control(self, key: str) -> None:
        """Press a key while Ctrl is down."""
        self._type([{"type": "keyDown", "value": _CONTROL}, *_stroke(key), {"type": "keyUp", "value": _CONTROL}])

    def _type(self, actions: list[dict]) -> None:
        self.browser.perform([{"type": "key", "id": "keyboard", "actions": actions}])


def _stroke(key: str) -> list[dict]:
    return [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
