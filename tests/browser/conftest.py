"""One server and one browser for all browser tests; a fresh page, with its complaints, for each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium, server


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    port = server.free_port()
    with server.running(server.streamlit(port), port) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.installed()
    assert path, "no Chromium found: make browser installs one"
    with sync_playwright() as playwright:
        found = chromium.launch(playwright, path)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, address: str):
    """Open a path of the app in a window of its own and wait until it is drawn.

    Afterwards nothing may have gone wrong in the browser: no exception, no error on the console, no
    request to anyone but the server.
    """
    pages, complaints = [], []

    def open_page(
        path: str = "/", width: int = 1280, height: int = 720, theme: str = "light", drawn: bool = True
    ) -> Page:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("request", lambda request: _is_outside(request.url, address) and complaints.append(request.url))
        page.goto(address + path)
        if drawn:
            page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 3")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []


def _is_outside(url: str, address: str) -> bool:
    return not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))
