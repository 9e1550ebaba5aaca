"""Frames a second while a visitor drags, and the page's work for each: sliders, and the map of the vocabulary.

The sliders are "Share of the positions" on the whole way and on Pairs. Chromium has no graphics hardware here: all that
a graphics card would do is done by the processor. The pointer moves to and fro for SECONDS, as fast as the browser
takes its moves. A frame counts when the page has drawn it, that is for each animation callback, of which Chromium makes
no more than it can show. Its work is what the page's main thread does meanwhile: scripts, styles, layout.
"""

from math import sin
from time import monotonic
from typing import NamedTuple

import vocabulary
from playwright.sync_api import Browser, CDPSession, Locator, Page, Playwright
from server import App, Server

SECONDS = 4.0
WAYS = 1.5  # to and fro in a second
TIMEOUT = 120_000  # ms
_COUNT = """
window.counted = 0
const count = () => { window.counted += 1; requestAnimationFrame(count) }
requestAnimationFrame(count)
"""


class Drag(NamedTuple):
    """frames: a second. work: seconds of the main thread for a frame."""

    frames: float
    work: float


def measure(playwright: Playwright, app: App) -> dict[str, Drag]:
    """By what is dragged."""
    chromium = vocabulary.launch(playwright)
    with Server(app) as server:
        url = server.wait_until_healthy().url
        found = {
            "the share of the positions, the whole way": _slider(chromium, f"{url}/", ".st-key-whole [data-drawn]"),
            "the share of the positions, Pairs": _slider(chromium, f"{url}/?view=pairs", ".st-key-strips [data-drawn]"),
            "the map of the vocabulary": _map(chromium, url),
        }
    chromium.close()
    return found


def _slider(chromium: Browser, url: str, drawn: str) -> Drag:
    page = _open(chromium, url, drawn)
    return _frames(page, page.get_by_role("slider", name="Share of the positions"), 0.4)


def _map(chromium: Browser, url: str) -> Drag:
    page = _open(chromium, f"{url}/vocabulary?source=random", ".map[data-points]")
    return _frames(page, page.locator(".map"), 0.2)


def _open(chromium: Browser, url: str, drawn: str) -> Page:
    page = chromium.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(url)
    page.wait_for_selector(drawn, timeout=TIMEOUT)
    page.wait_for_load_state("networkidle")
    return page


def _frames(page: Page, what: Locator, share: float) -> Drag:
    """Drag it by this share of its width to both sides of its middle."""
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(_COUNT)
    thread = page.context.new_cdp_session(page)
    thread.send("Performance.enable")
    began, before = monotonic(), _busy(thread)
    while (gone := monotonic() - began) < SECONDS:
        page.mouse.move(x + share * box["width"] * sin(gone * WAYS * 6.28), y)
    frames, work = page.evaluate("window.counted"), _busy(thread) - before
    seconds = monotonic() - began
    page.mouse.up()
    page.context.close()
    return Drag(frames / seconds, work / frames)


def _busy(thread: CDPSession) -> float:
    """Seconds for which the main thread has been busy since the page was opened."""
    return {each["name"]: each["value"] for each in thread.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
