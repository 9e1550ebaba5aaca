"""How much of each page moves while it comes: Chromium's layout shift, 0 if nothing does.

A visit counts until nothing has moved for a while. The number is that of the web's vitals: the share of the window that
moves, times how far it moves, added up over all shifts that no key or click has caused.
"""

import sys

from playwright.sync_api import Browser
from server import ROOT

sys.path.insert(0, str(ROOT))
from embedviz.base.pages import PAGES
from tests.browser.chromium import SHIFTS

LIMIT = 0.05  # half of what the web’s vitals call a good page
QUIET = 3000  # ms without a shift after which a page is there
WINDOWS = {"": (1280, 720), " at 768 px": (768, 1024), " at 360 px": (360, 740)}


def measure(browser: Browser, url: str) -> dict[str, float]:
    """The shift of each page in each window, by the page's name and the window."""
    return {
        page.name + window: _shift(browser, f"{url}/{page.address}", *size)
        for page in PAGES
        for window, size in WINDOWS.items()
    }


def _shift(browser: Browser, url: str, width: int, height: int) -> float:
    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(url)
    page.wait_for_selector("h1", timeout=60_000)
    before = -1.0
    while (now := page.evaluate("window.shifted")) > before:
        before = now
        page.wait_for_timeout(QUIET)
    context.close()
    return now
