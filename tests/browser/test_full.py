"""A visitor who finds the server full waits on a page that comes back by itself."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import InvalidStatus

from tests.browser import access, server
from tests.session import visiting

_NOTICES = {"/lookup": "embedviz is full just now", f"/?a={'x' * 5000}": "This address is too long"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = server.free_port()
    limits = {"EMBEDVIZ_SESSIONS": "1", "EMBEDVIZ_RETRY_SECONDS": "2", "EMBEDVIZ_ADDRESS_KIB": "4"}
    limits |= {"EMBEDVIZ_EDITS_PER_SECOND": "1", "EMBEDVIZ_EDITS_AT_ONCE": "3", "EMBEDVIZ_UPLOAD_MB": "1"}
    with server.running(server.streamlit(port), port, limits):
        yield port


def come(browser: Browser, port: int, path: str, width: int = 1280, theme: str = "light") -> Page:
    page = browser.new_page(viewport={"width": width, "height": 720}, color_scheme=theme, bypass_csp=True)
    page.goto(f"http://127.0.0.1:{port}{path}")
    return page


def left(browser: Browser) -> None:
    """Close all pages, and let the server forget who they were: each has a browser's name of its own."""
    for context in browser.contexts:
        context.close()


def test_waits_and_comes_back_to_the_same_view(browser, port):
    _empty(port)
    with visiting(port) as session:
        session.run()
        page = come(browser, port, "/?a=dog+bites+man&b=man+bites+dog")
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now")
        expect(page.get_by_text("1 visitor is in")).to_be_visible()
        expect(page.locator("output")).to_have_text("in 1 second")
        page.wait_for_timeout(2500)
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites man", timeout=30_000)
    assert "a=dog+bites+man" in page.url
    page.reload()  # it is full, by this page itself, which may come in again
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites man", timeout=30_000)
    left(browser)


def test_a_page_whose_connection_is_refused_says_so_too(browser, port):
    """Two get the page before one of them is connected."""
    _empty(port)
    page = browser.new_page()
    page.route("**/_stcore/health", lambda route: (time.sleep(1), route.continue_()))  # it connects a second late
    page.goto(f"http://127.0.0.1:{port}/?a=dog")
    with visiting(port) as session:
        session.run()
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now", timeout=20_000)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog", timeout=30_000)
    left(browser)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_the_notices_are_without_fault(browser, port, theme, width):
    _empty(port)
    with visiting(port):
        for path, title in _NOTICES.items():
            page = come(browser, port, path, width, theme)
            expect(page.get_by_role("heading")).to_have_text(title)
            access.check_axe(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            dark = "rgb(15, 18, 24)"
            assert (page.evaluate("getComputedStyle(document.body).backgroundColor") == dark) == (theme == "dark")
    left(browser)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_whoever_types_too_fast_is_told_as_long_as_it_lasts(browser, port, theme, width):
    _empty(port)
    page = come(browser, port, "/batches?part=Padding", width, theme)
    field = page.get_by_role("textbox", name="Short")
    expect(field).to_be_visible(timeout=30_000)
    field.focus()
    for _ in range(34):  # ten seconds, and the message fades after six
        page.keyboard.type("s")
        page.wait_for_timeout(300)
    message = page.get_by_text("More than 1 changes a second")
    expect(message).to_be_visible()
    access.check_axe(page)
    expect(field).to_have_value("the cat" + "s" * 34)
    left(browser)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_a_file_that_is_too_large_says_so_where_it_was_chosen(browser, port, theme, width):
    _empty(port)
    page = come(browser, port, "/batches?sample=Upload+a+file", width, theme)
    large = {"name": "large.txt", "mimeType": "text/plain", "buffer": b"the cat " * 150_000}
    page.locator("input[type=file]").set_input_files(large)
    message = page.get_by_text("File must be 1.0MB or smaller.")
    expect(message).to_be_visible()
    box = message.bounding_box()
    assert box["width"] > 100
    assert box["x"] + box["width"] < width
    left(browser)


def _empty(port: int) -> None:
    """Wait until those of the test before have left."""
    until = time.monotonic() + 10
    while True:
        try:
            with visiting(port):
                return
        except InvalidStatus:
            assert time.monotonic() < until
            time.sleep(0.1)
