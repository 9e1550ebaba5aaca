"""Letters typed into Sentence A, as a visitor sees them: from a key to the last picture in the window.

A change of a figure counts as drawn in the first task after the frame that painted it. Our components draw into shadow
roots, so these are watched too. An edit is over when no figure in the window has changed for QUIET ms.

The page's main thread is measured by Chromium itself (CDP, Performance.getMetrics): script, styles and layout.
"""

import statistics
import time
from dataclasses import dataclass, field

from playwright.sync_api import Browser, CDPSession, Page
from server import App, Server

ROUNDS = 3
LETTERS = " under the old tree"  # each letter is an edit of its own
BURST = " by a river"[:10]
APART = 0.08  # seconds between the letters of a burst
QUIET = 400  # ms
TIMEOUT = 60_000  # ms
SLOWER = 4  # a phone beside this machine

STOPWATCH = """
(() => {
  const watch = { keys: [], changed: 0, drawn: 0, pictures: [] }
  window.stopwatch = watch
  watch.start = () => Object.assign(watch, { keys: [], changed: 0, drawn: 0, pictures: [] })
  watch.isOver = (quiet) => watch.drawn > watch.keys.at(-1) && performance.now() - watch.changed > quiet
  addEventListener("keydown", ({ timeStamp }) => watch.keys.push(timeStamp), true)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => watch.pictures.push((watch.drawn = performance.now()))
  const touched = new Set()
  const inWindow = (node) => {
    const { top, height } = node.getBoundingClientRect()
    return height > 0 && top < innerHeight
  }
  // Looked at once a frame, since to look makes the browser lay the page out.
  const look = () => {
    if ([...touched].some(inWindow)) port2.postMessage((watch.changed = performance.now()))
    touched.clear()
  }
  const touch = (figure) => {
    if (!figure) return
    if (!touched.size) requestAnimationFrame(look)
    touched.add(figure)
  }
  const how = { subtree: true, childList: true, attributes: true, characterData: true }
  const element = (node) => (node instanceof Element ? node : node.parentElement)
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      touch(element(target)?.closest(".js-plotly-plot"))
      for (const node of addedNodes) if (node instanceof Element) touch(node.querySelector(".js-plotly-plot"))
    }
  }).observe(document, how)
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init)
    new MutationObserver(() => touch(this)).observe(root, how)
    return root
  }
})()
"""


@dataclass
class Typed:
    """Of one app: seconds from key to last picture, and of the page's main thread; one number for each letter.

    script, layout: seconds of the main thread in JavaScript, and in styles and layout. between: pictures that were
    drawn while ten letters came. last: seconds from the last of them to its picture.
    """

    waits: list[float] = field(default_factory=list)
    slow_waits: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    layout: list[float] = field(default_factory=list)
    between: list[int] = field(default_factory=list)
    last: list[float] = field(default_factory=list)


def measure(browser: Browser, apps: list[App], path: str = "") -> list[Typed]:
    """A round here, a round there; each with a new server and a new page."""
    found = [Typed() for _ in apps]
    for _ in range(ROUNDS):
        for app, typed in zip(apps, found, strict=True):
            with Server(app) as server:
                _round(browser, server.wait_until_healthy(), path, typed)
    return found


def _round(browser: Browser, server: Server, path: str, typed: Typed) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    context.add_init_script(STOPWATCH)
    page = context.new_page()
    page.goto(f"{server.url}/{path}")
    field_a = page.get_by_role("textbox", name="Sentence").first
    field_a.click(timeout=TIMEOUT)
    page.wait_for_function("performance.now() - stopwatch.changed > 2000 && stopwatch.drawn", polling=200)
    page.keyboard.press("End")
    devtools = context.new_cdp_session(page)
    devtools.send("Performance.enable")
    for letter in "s is":
        _letter(page, letter, server.app)
    for letter in LETTERS:
        before = _thread(devtools)
        typed.waits.append(_letter(page, letter, server.app))
        after = _thread(devtools)
        typed.script.append(after[0] - before[0])
        typed.layout.append(after[1] - before[1])
    if not server.app.needs_enter:
        between, last = _burst(page)
        typed.between.append(between)
        typed.last.append(last)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    typed.slow_waits += [_letter(page, letter, server.app) for letter in LETTERS]
    context.close()


def _letter(page: Page, letter: str, app: App) -> float:
    page.evaluate("stopwatch.start()")
    page.keyboard.press(letter)
    if app.needs_enter:
        page.keyboard.press("Enter")
    _wait(page)
    return page.evaluate("stopwatch.drawn - stopwatch.keys.at(-1)") / 1000


def _burst(page: Page) -> tuple[int, float]:
    page.evaluate("stopwatch.start()")
    for letter in BURST:
        page.keyboard.press(letter)
        time.sleep(APART)
    _wait(page)
    return page.evaluate(
        "[stopwatch.pictures.filter((at) => at < stopwatch.keys.at(-1)).length,"
        " (stopwatch.drawn - stopwatch.keys.at(-1)) / 1000]"
    )


def _wait(page: Page) -> None:
    page.wait_for_function("quiet => stopwatch.isOver(quiet)", arg=QUIET, polling=100, timeout=TIMEOUT)


def _thread(devtools: CDPSession) -> tuple[float, float]:
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], metrics["LayoutDuration"] + metrics["RecalcStyleDuration"]


def summary(typed: Typed) -> dict[str, float]:
    return {
        "wait": statistics.median(typed.waits),
        "slow": statistics.median(typed.slow_waits),
        "script": statistics.mean(typed.script),
        "layout": statistics.mean(typed.layout),
        "between": statistics.median(typed.between or [0]),
        "last": statistics.median(typed.last or [0]),
    }
