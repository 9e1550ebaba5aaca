"""What a visitor sees, in Chromium: the first chart after a start, and a chart after an edit.

Start to first chart: from launching the server's process until a heat map's picture is in the page, or ours is, the
whole way. The browser runs already, with an empty cache, and asks for the page until the server answers.

Edit to drawn: from handing the edit to the websocket until the last change inside any figure that
is in the window is on the screen; a figure below the fold counts for neither app. The start leaves out
what is there by design, ours waiting a moment for more letters and the floor waiting for Enter. The end is
seen from outside, by an observer of the document, so that it does not depend on how an app draws: the
floor removes its figure and makes a new one, ours changes figures in place. A change counts as on the
screen in the first task after the frame that painted it. An edit is over when no figure has changed for
QUIET ms and, on our page, each figure has also reported that it was drawn (`data-drawn`).
"""

import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from edits import texts
from playwright.sync_api import Browser, Error, Page, Playwright
from server import ROOT, App, Server

sys.path.insert(0, str(ROOT))
from tests.browser.chromium import installed

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROUNDS = 3
EDITS_PER_ROUND = 15
FIRST = 5  # edits that also count apart: Chromium still compiles the page's JavaScript
QUIET = 500  # ms
TIMEOUT = 60  # seconds

_FIRST_CHART = ".js-plotly-plot .heatmaplayer image, .st-key-whole [data-drawn]"  # the floor's, and ours
_STOPWATCH = """
(() => {
  const FIGURE = ".js-plotly-plot, .st-key-whole [data-drawn]"
  const watch = { sent: null, changed: null, drawn: null, counts: new Map() }
  const figures = () => [...document.querySelectorAll(".ev-plot, .st-key-whole [data-drawn]")]
  watch.start = () => {
    watch.sent = watch.changed = watch.drawn = null
    watch.counts = new Map(figures().map((figure) => [figure, figure.dataset.drawn]))
  }
  watch.isOver = (quiet) => watch.drawn !== null && performance.now() - watch.changed > quiet
    && figures().every((figure) => figure.dataset.drawn !== watch.counts.get(figure))
  window.stopwatch = watch

  const send = WebSocket.prototype.send
  WebSocket.prototype.send = function (data) {
    watch.sent ??= performance.now()
    return send.call(this, data)
  }

  // The frame paints after its animation callbacks; a message posted by one arrives once it has.
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => (watch.drawn = performance.now())
  const element = (node) => (node instanceof Element ? node : node.parentElement)
  const holdsFigure = (node) =>
    node instanceof Element && (node.matches(FIGURE) || node.querySelector(FIGURE))
  const isOnScreen = (figure) => figure && figure.getBoundingClientRect().top < innerHeight
  const touches = ({ target, addedNodes }) =>
    isOnScreen(element(target)?.closest(FIGURE)) || [...addedNodes].some(holdsFigure)
  new MutationObserver((changes) => {
    if (!changes.some(touches)) return
    watch.changed = performance.now()
    requestAnimationFrame(() => port2.postMessage(null))
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
})()
"""


@dataclass
class Views:
    """Of one app, in seconds, one number for each round.

    starts: start to first chart. edits: edit to drawn, median of all edits on a page that was just
    opened. first_edits: the same of its FIRST edits only.
    """

    starts: list[float] = field(default_factory=list)
    edits: list[float] = field(default_factory=list)
    first_edits: list[float] = field(default_factory=list)


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=installed(), args=FLAGS)


def measure_views(browser: Browser, apps: list[App]) -> list[Views]:
    """In each round start every app anew, one after the other, wait for its chart, and edit its text."""
    results = [Views() for _ in apps]
    sentences = texts()
    for _ in range(ROUNDS):
        for app, result in zip(apps, results, strict=True):
            _round(browser, app, sentences, result)
    return results


def _round(browser: Browser, app: App, sentences: Iterator[str], result: Views) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    context.add_init_script(_STOPWATCH)
    page = context.new_page()
    start = time.perf_counter()
    with Server(app) as server:
        _visit(page, server)
        result.starts.append(time.perf_counter() - start)
        _wait_until_over(page)
        waits = [_edit(page, app, next(sentences)) for _ in range(EDITS_PER_ROUND)]
        result.edits.append(statistics.median(waits))
        result.first_edits.append(statistics.median(waits[:FIRST]))
        context.close()


def _visit(page: Page, server: Server) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not (server.has_started() and _answers(page, server.url)):
        server.check(deadline)
        time.sleep(0.05)
    page.wait_for_selector(_FIRST_CHART, state="attached", timeout=TIMEOUT * 1000)


def _answers(page: Page, url: str) -> bool:
    try:
        return page.goto(url, wait_until="commit").ok
    except Error:
        return False


def _edit(page: Page, app: App, text: str) -> float:
    field_a = page.get_by_role("textbox", name="Sentence").first
    page.evaluate("stopwatch.start()")
    field_a.fill(text)  # one input event; ours goes on from there
    if app.needs_enter:
        field_a.press("Enter")
    _wait_until_over(page)
    return page.evaluate("stopwatch.drawn - stopwatch.sent") / 1000


def _wait_until_over(page: Page) -> None:
    # In steps: asking at each frame, which is the default, would take time from the drawing.
    page.wait_for_function("quiet => stopwatch.isOver(quiet)", arg=QUIET, polling=100, timeout=TIMEOUT * 1000)
