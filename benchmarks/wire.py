"""What a first visit brings over the wire: bytes as Chromium counts them, with an empty cache, headers included."""

import base64

from playwright.sync_api import Browser
from server import App, Server

QUIET = 3000  # ms without any byte after which a page has all that it needs
_TIMEOUT = 60_000
_CHART = ".js-plotly-plot .heatmaplayer image, .st-key-whole [data-drawn]"  # the floor's, and ours


def first_visits(browser: Browser, apps: list[App]) -> list[int]:
    """Of each app's first page, on a server that nobody has visited yet."""
    return [first_visit(browser, app) for app in apps]


def first_visit(browser: Browser, app: App, query: str = "") -> int:
    """Of an app's first page at an address with this query, on a server that nobody has visited yet."""
    with Server(app) as server:
        server.wait_until_healthy()
        return visit(browser, f"{server.url}/{query}")


def visit(browser: Browser, url: str) -> int:
    """Bytes of all answers and of all that came through websockets, until nothing comes any more."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    page = context.new_page()
    seen = [0]
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: seen.append(int(event["encodedDataLength"])))
    network.on("Network.webSocketFrameReceived", lambda event: seen.append(_length(event["response"])))
    page.goto(url)
    page.wait_for_selector(_CHART, state="attached", timeout=_TIMEOUT)
    before = 0
    while len(seen) > before:
        before = len(seen)
        page.wait_for_timeout(QUIET)
    context.close()
    return sum(seen)


def _length(frame: dict) -> int:
    binary = frame["opcode"] == 2
    return len(base64.b64decode(frame["payloadData"])) if binary else len(frame["payloadData"].encode())
